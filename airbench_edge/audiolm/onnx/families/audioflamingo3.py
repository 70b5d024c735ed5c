"""Audio Flamingo 3 (Goel et al. 2025): up to twenty Whisper windows before the question, to a Qwen2.5 decoder.

Facts of the format are those of the published checkpoint's processor in transformers 5.
"""

from __future__ import annotations

from airbench_edge.audiolm.onnx.families.chatml import chatml
from airbench_edge.audiolm.onnx.families.windowed import Windowed


class AudioFlamingo3(Windowed):
    """Processor of Audio Flamingo 3."""

    name = "Audio Flamingo 3"
    placeholder = "<sound>"
    mask = "input_features_mask"
    seconds = 600
    template = chatml("<sound>")
