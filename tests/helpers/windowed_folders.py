"""Model folders of the families of Whisper windows: those of the tiny model of tests/cases with other words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from helpers.tiny_audiolm import CASE, edit_json


class Tiny(NamedTuple):
    """What makes the tiny model's folder one of another family.

    Attributes:
        processor: Class of its processor in transformers.
        words: Special tokens of the tiny model to those in their place.
        template: Its chat template, as the conversion script in transformers writes it.
    """

    processor: str
    words: dict[str, str]
    template: str


FAMILIES = {
    "audioflamingo3": Tiny(
        "AudioFlamingo3Processor",
        {"<|AUDIO|>": "<sound>"},
        "{% if messages[0]['role'] != 'system' %}"
        "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
        "{% for m in messages if m['content'] is not none %}<|im_start|>{{ m['role'] }}\n"
        "{% if m['content'] is string %}{{ m['content'] }}{% else %}"
        "{% set audio = namespace(found=False) %}{% set text_buf = namespace(v='') %}{% for c in m['content'] %}"
        "{% if c.get('type') == 'audio' or 'audio' in c %}{% set audio.found = True %}"
        "{% elif c.get('type') == 'text' or 'text' in c %}{% set text_buf.v = text_buf.v + c['text'] %}{% endif %}"
        "{% endfor %}{% if audio.found %}{{ '<sound>' }}{% endif %}{{ text_buf.v }}{% endif %}<|im_end|>\n"
        "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
    ),
    "glmasr": Tiny(
        "GlmAsrProcessor",
        {
            "<|im_start|>": "<|user|>",
            "<|im_end|>": "<|assistant|>",
            "<|AUDIO|>": "<|pad|>",
            "<|audio_bos|>": "<|begin_of_audio|>",
            "<|audio_eos|>": "<|end_of_audio|>",
        },
        "{%- macro to_text(content) -%}\n{%- if content is string -%}\n{{- content -}}\n{%- else -%}\n"
        "{%- for item in content -%}\n{%- if item.type == 'text' -%}\n{{- item.text -}}\n{%- else -%}\n"
        "<|begin_of_audio|><|pad|><|end_of_audio|><|user|>\n{% endif -%}\n{%- endfor -%}\n{%- endif -%}\n"
        "{%- endmacro -%}\n{%- for m in messages -%}\n<|{{ m.role }}|>\n{{ to_text(m.content) | trim }}\n"
        "{%- endfor -%}\n{%- if add_generation_prompt -%}\n<|assistant|>\n{% endif -%}",
    ),
}
LONGEST_S = 3
"""Most seconds that the processors take; a window is 1 s."""


def make_folder(family: str, parent: Path) -> Path:
    """Write the folder of a family."""
    folder = Path(shutil.copytree(CASE, parent / family))
    tiny = FAMILIES[family]
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in tiny.words.items():
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    settings = json.loads((folder / "preprocessor_config.json").read_text(encoding="utf-8"))
    (folder / "preprocessor_config.json").unlink()
    processor = {"processor_class": tiny.processor, "feature_extractor": settings, "max_audio_len": LONGEST_S}
    (folder / "processor_config.json").write_text(json.dumps(processor), encoding="utf-8")
    (folder / "chat_template.jinja").write_text(tiny.template, encoding="utf-8")
    edit_json(folder / "config.json", model_type=family, audio_token_index=None, audio_token_id=3)
    return folder
