"""ChatML, the conversation format of the Qwen text models."""

from __future__ import annotations

_TEMPLATE = """\
{%- if messages[0].role != 'system' -%}
{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif -%}
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.content is string -%}
{{ message.content }}
{%- else -%}
{{ 'SOUND' + message.content[1].text }}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{{ '<|im_start|>assistant\\n' }}"""


def chatml(sound: str) -> str:
    """A chat template for model folders without one, with Qwen's own system message where none is given.

    Args:
        sound: What stands before the question in place of the sound, with escapes as in a Python string.
    """
    return _TEMPLATE.replace("SOUND", sound)
