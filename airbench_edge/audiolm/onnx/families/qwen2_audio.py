"""Qwen2-Audio (Chu et al. 2024): a Whisper-like window of log-mel, halved twice, before the question.

Facts of the format are those of the published checkpoint's processor in transformers.
"""

from __future__ import annotations

from airbench_edge.audiolm.onnx.families.chatml import chatml
from airbench_edge.audiolm.onnx.families.windowed import Windowed


class Qwen2Audio(Windowed):
    """Processor of Qwen2-Audio."""

    name = "Qwen2-Audio"
    placeholder = "<|AUDIO|>"
    mask = "feature_attention_mask"
    template = chatml("Audio 1: <|audio_bos|><|AUDIO|><|audio_eos|>\\n")
