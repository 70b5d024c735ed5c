"""A Granite Speech folder without weights that fit: the tiny model of tests/cases, under its configurations."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from helpers.tiny_audiolm import CASE, edit_json

SPECIALS = ("<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>", "<|audio|>")
# As the published ones of 3.3: today's date where nothing else is said.
TEMPLATE = (
    "{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content'] %}"
    "{%- set loop_messages = messages[1:] %}{%- else %}"
    "{%- set system_message = \"Today's Date: \" + strftime_now('%B %d, %Y') + '.' %}"
    "{%- set loop_messages = messages %}{%- endif %}"
    "{{- '<|start_of_role|>system<|end_of_role|>' + system_message + '<|end_of_text|>\\n' }}"
    "{%- for message in loop_messages %}{{- '<|start_of_role|>' + message['role'] + '<|end_of_role|>' }}"
    "{{- message['content'] + '<|end_of_text|>\\n' }}{%- endfor %}"
    "{{- '<|start_of_role|>assistant<|end_of_role|>' }}"
)
_PLACE_OF = {
    "<|endoftext|>": SPECIALS[0],
    "<|im_start|>": SPECIALS[1],
    "<|im_end|>": SPECIALS[2],
    "<|AUDIO|>": SPECIALS[3],
}


def make_settings() -> dict[str, Any]:
    """``preprocessor_config.json`` as ``GraniteSpeechFeatureExtractor`` saves it."""
    mel = {"sample_rate": 16000, "n_fft": 512, "win_length": 400, "hop_length": 160, "n_mels": 80}
    return {
        "feature_extractor_type": "GraniteSpeechFeatureExtractor",
        "processor_class": "GraniteSpeechProcessor",
        "sampling_rate": 16000,
        "melspec_kwargs": mel,
        "projector_window_size": 15,
        "projector_downsample_rate": 5,
    }


def make_folder(parent: Path, template: str = TEMPLATE) -> Path:
    """Write the folder."""
    folder = Path(shutil.copytree(CASE, parent / "granite_speech"))
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in _PLACE_OF.items():
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "preprocessor_config.json").write_text(json.dumps(make_settings()), encoding="utf-8")
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    edit_json(folder / "config.json", model_type="granite_speech", audio_token_index=3, audio_config=None)
    return folder
