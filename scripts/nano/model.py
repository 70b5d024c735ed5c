"""The model: Qwen2-Audio's architecture at a thousandth of its size, and what training needs beyond transformers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import gelu
from transformers import Qwen2AudioConfig, Qwen2AudioForConditionalGeneration

from nano.lessons import MEL_BINS, WINDOW_S, Lesson
from nano.wording import AUDIO, END_OF_TEXT, IM_END, PAD

TOKENS_PER_SECOND = 25


class Size(NamedTuple):
    """Widths and depths."""

    width: int = 128
    encoder_layers: int = 2
    decoder_layers: int = 3
    decoder_feed_forward: int = 384


def build(size: Size, vocabulary: int) -> Qwen2AudioForConditionalGeneration:
    """A fresh model.

    Two heads in the decoder, so that each can hold one exact distance, see ``seed_induction``.
    """
    audio = {
        "num_mel_bins": MEL_BINS,
        "encoder_layers": size.encoder_layers,
        "encoder_attention_heads": 4,
        "encoder_ffn_dim": 4 * size.width,
        "d_model": size.width,
        "max_source_positions": 50 * WINDOW_S,
    }
    text = {
        "model_type": "qwen2",
        "vocab_size": vocabulary,
        "hidden_size": size.width,
        "intermediate_size": size.decoder_feed_forward,
        "num_hidden_layers": size.decoder_layers,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "max_position_embeddings": 1024,
        "initializer_range": 0.03,
        "tie_word_embeddings": False,
        "pad_token_id": PAD,
        "bos_token_id": END_OF_TEXT,
        "eos_token_id": IM_END,
    }
    config = Qwen2AudioConfig(audio_config=audio, text_config=text, audio_token_index=AUDIO)
    config._attn_implementation = "eager"
    model = Qwen2AudioForConditionalGeneration(config)
    # transformers leaves this table random; Whisper's sinusoids are what the architecture means.
    model.audio_tower.embed_positions.weight.data = sinusoids(50 * WINDOW_S, size.width)
    return model


def sinusoids(length: int, width: int) -> torch.Tensor:
    """Whisper's positions (Radford et al. 2022): sines and cosines at geometrically spaced rates, [length, width]."""
    rates = torch.exp(-math.log(10_000) / (width // 2 - 1) * torch.arange(width // 2))
    angles = torch.arange(length)[:, None] * rates[None]
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def audio_tokens(frames: int) -> int:
    """Audio tokens of a clip: one convolution and one pooling halve the mel frames."""
    return ((frames - 1) // 2 + 1 - 2) // 2 + 1


def batch(lessons: Sequence[Lesson]) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-mels padded to a common length as the extractor pads, [clips, mel bins, frames], and frames of each clip."""
    frames = torch.tensor([lesson.frames for lesson in lessons])
    length = min(100 * WINDOW_S, -(-(int(frames.max()) + 3) // 4) * 4)
    mels = np.empty((len(lessons), MEL_BINS, length), np.float32)
    for row, lesson in zip(mels, lessons, strict=True):
        kept = min(length, lesson.mel.shape[1])
        # Padding is digital silence: it sits at the floor, eight decades below the peak, like the minimum.
        row[:] = lesson.mel.min()
        row[:, :kept] = lesson.mel[:, :kept]
    return torch.from_numpy(mels), frames


def encode(tower: torch.nn.Module, mels: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
    """What the audio tower computes for the first frames of its window, without computing the padding beyond.

    Args:
        tower: ``Qwen2AudioEncoder``.
        mels: [clips, mel bins, length], length a multiple of 4.
        frames: Valid frames of each clip, [clips].

    Returns:
        [clips, length / 4, width]; positions beyond ``audio_tokens`` of a clip are meaningless.
    """
    hidden = gelu(tower.conv2(gelu(tower.conv1(mels)))).permute(0, 2, 1)
    length = hidden.shape[1]
    hidden = hidden + tower.embed_positions.weight[:length]
    padding = torch.arange(length)[None] >= ((frames - 1) // 2 + 1)[:, None]
    bias = padding[:, None, None, :].to(hidden.dtype) * torch.finfo(hidden.dtype).min
    bias = bias.expand(-1, 1, length, -1)
    for layer in tower.layers:
        hidden = layer(hidden, bias, None)[0]
    return tower.layer_norm(tower.avg_pooler(hidden.permute(0, 2, 1)).permute(0, 2, 1))
