"""``config.json`` of Qwen-Audio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from airbench_edge.errors import InputError


class AudioSettings(msgspec.Struct, frozen=True):
    """Part ``audio`` of ``config.json``."""

    n_mels: int
    n_ctx: int
    n_state: int
    n_head: int
    n_layer: int
    output_dim: int
    audio_start_id: int
    avg_pool: bool = True
    add_audio_bos_eos_token: bool = True


class QwenAudioSettings(msgspec.Struct, frozen=True):
    """``config.json``; defaults are those of the published configuration class."""

    hidden_size: int
    intermediate_size: int
    num_attention_heads: int
    num_hidden_layers: int
    vocab_size: int
    audio: AudioSettings
    layer_norm_epsilon: float = 1e-6
    rotary_emb_base: float = 10000.0
    rotary_pct: float = 1.0
    seq_length: int = 2048
    no_bias: bool = True
    tie_word_embeddings: bool = False


def read_settings(checkpoint: Path) -> QwenAudioSettings:
    """Read ``config.json``.

    Raises:
        InputError: It is that of a text-only Qwen, or asks for something that no published checkpoint has.
    """
    path = checkpoint / "config.json"
    try:
        content = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        if "audio" not in content:
            raise InputError(
                f"{path} has no part named audio: it is that of a Qwen for text alone, which hears nothing."
            )
        settings = msgspec.convert(content, QwenAudioSettings)
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} cannot be used ({error}): restore it from the model's source.") from error
    usual = (
        settings.rotary_pct == 1.0,
        settings.no_bias,
        settings.audio.avg_pool,
        settings.audio.add_audio_bos_eos_token,
    )
    if not all(usual):
        raise InputError(
            f"{path} asks for rotary_pct below 1, biases, no avg_pool or no embeddings around the sound; "
            "no published Qwen-Audio does, and it is not supported."
        )
    return settings
