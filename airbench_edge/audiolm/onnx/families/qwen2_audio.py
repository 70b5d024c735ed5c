"""Qwen2-Audio (Chu et al. 2024): a Whisper-like window of log-mel, halved twice, before the question.

Facts of the format are those of the published checkpoint's processor in transformers.
"""

from __future__ import annotations

from airbench_edge.audiolm.onnx.families.windowed import Windowed


class Qwen2Audio(Windowed):
    """Processor of Qwen2-Audio."""

    name = "Qwen2-Audio"
    placeholder = "<|AUDIO|>"
    mask = "feature_attention_mask"
    template = """\
{%- if messages[0].role != 'system' -%}
{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif -%}
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.content is string -%}
{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{{ part.text if part.type == 'text' else 'Audio 1: <|audio_bos|><|AUDIO|><|audio_eos|>\\n' }}
{%- endfor -%}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{{ '<|im_start|>assistant\\n' }}"""
