"""A model folder of Phi-4-multimodal: that of the tiny model of tests/cases with other words and settings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from helpers.tiny_audiolm import CASE, edit_json

TEMPLATE = (  # the published one
    "{% for message in messages %}{% if message['role'] == 'system' and 'tools' in message and "
    "message['tools'] is not none %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|tool|>' + "
    "message['tools'] + '<|/tool|>' + '<|end|>' }}{% else %}{{ '<|' + message['role'] + '|>' + message['content'] + "
    "'<|end|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% else %}{{ eos_token }}"
    "{% endif %}"
)
_WORDS = {
    "<|im_start|>": "<|user|>",
    "<|im_end|>": "<|end|>",
    "<|AUDIO|>": "<|audio|>",
    "<|audio_bos|>": "<|assistant|>",
    "<|audio_eos|>": "<|image|>",
}


def make_folder(parent: Path) -> Path:
    """Write the folder, in the form for transformers."""
    folder = Path(shutil.copytree(CASE, parent / "phi4_multimodal"))
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in _WORDS.items():
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    edit_json(folder / "tokenizer_config.json", chat_template=TEMPLATE)
    text_config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))["text_config"]
    config = text_config | {"model_type": "phi4_multimodal", "audio_config": {"audio_token_id": 3}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    settings = {"feature_extractor_type": "Phi4MultimodalFeatureExtractor", "feature_size": 80, "hop_length": 160}
    (folder / "preprocessor_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder
