"""A model folder of Qwen2.5-Omni: that of the tiny model of tests/cases with another configuration and template."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from helpers.tiny_audiolm import CASE, edit_json

WINDOW_S = 5
"""Seconds that the processor hears; 300 in the published checkpoint."""

TEMPLATE = (  # the published one, without its parts for pictures
    "{% set audio_count = namespace(value=0) %}{% for message in messages %}"
    "{% if loop.first and message['role'] != 'system' %}<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "{% endif %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}<|im_end|>\n{% else %}"
    "{% for content in message['content'] %}"
    "{% if content['type'] == 'audio' or 'audio' in content or 'audio_url' in content %}"
    "{% set audio_count.value = audio_count.value + 1 %}"
    "{% if add_audio_id %}Audio {{ audio_count.value }}: {% endif %}<|audio_bos|><|AUDIO|><|audio_eos|>"
    "{% elif 'text' in content %}{{ content['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_folder(parent: Path) -> Path:
    """Write the folder."""
    folder = Path(shutil.copytree(CASE, parent / "qwen2_5_omni"))
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": TEMPLATE}), encoding="utf-8")
    edit_json(folder / "preprocessor_config.json", chunk_length=WINDOW_S)
    thinker = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    thinker["audio_config"]["n_window"] = 100
    del thinker["text_config"]["eos_token_id"]
    (folder / "config.json").write_text(
        json.dumps({"model_type": "qwen2_5_omni", "thinker_config": thinker, "talker_config": {}}), encoding="utf-8"
    )
    return folder
