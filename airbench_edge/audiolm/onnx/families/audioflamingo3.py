"""Audio Flamingo 3 (Goel et al. 2025): up to twenty Whisper windows before the question, to a Qwen2.5 decoder.

Facts of the format are those of the published checkpoint's processor in transformers 5.
"""

from __future__ import annotations

from airbench_edge.audiolm.onnx.families.windowed import Windowed


class AudioFlamingo3(Windowed):
    """Processor of Audio Flamingo 3."""

    name = "Audio Flamingo 3"
    placeholder = "<sound>"
    mask = "input_features_mask"
    seconds = 600
    template = """\
{%- if messages[0].role != 'system' -%}
{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif -%}
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.content is string -%}
{{ message.content }}
{%- else -%}
{{ '<sound>' + message.content[1].text }}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{{ '<|im_start|>assistant\\n' }}"""
