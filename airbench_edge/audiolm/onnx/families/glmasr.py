"""GLM-ASR (Z.ai 2025): Whisper windows with rotary positions, four frames a position, to a Llama decoder.

Facts of the format are those of the published checkpoint's processor in transformers 5. It was trained to transcribe:
answers to other questions are outside what its makers claim.
"""

from __future__ import annotations

from airbench_edge.audiolm.onnx.families.windowed import Windowed


class GlmAsr(Windowed):
    """Processor of GLM-ASR."""

    name = "GLM-ASR"
    placeholder = "<|pad|>"
    mask = "input_features_mask"
    seconds = 655
    template = """\
{%- for message in messages -%}
{%- if message.content is string -%}
{{ '<|' + message.role + '|>\\n' + message.content | trim }}
{%- else -%}
{{ '<|user|>\\n' + ('<|begin_of_audio|><|pad|><|end_of_audio|><|user|>\\n' + message.content[1].text) | trim }}
{%- endif -%}
{%- endfor -%}
{{ '<|assistant|>\\n' }}"""

    @staticmethod
    def tokens(frames: int) -> int:
        """Positions that a sound takes in the prompt: a convolution of stride 2, then four neighbours in one.

        Args:
            frames: Log-mel frames of the sound in all windows, padding not counted.
        """
        after_convolution = (frames - 1) // 2 + 1
        return (after_convolution - 4) // 4 + 1
