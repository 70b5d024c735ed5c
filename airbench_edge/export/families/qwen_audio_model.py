"""Qwen-Audio (Chu et al. 2023) in modules that every transformers has.

Its checkpoints bring their own code, for an old transformers. The encoder is rebuilt here from the published
architecture: a Whisper encoder that takes a clip at its own length, halves its frames once more and puts an embedding
of its own before and one after them.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from airbench_edge.export.families.qwen_audio_settings import AudioSettings


class _Attention(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = torch.nn.Linear(width, width)
        self.key = torch.nn.Linear(width, width, bias=False)
        self.value = torch.nn.Linear(width, width)
        self.out = torch.nn.Linear(width, width)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Let every position see every other one, [clips, positions, width]."""
        query, key, value = (
            part(states).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        weights = (query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])).softmax(-1)
        return self.out((weights @ value).transpose(1, 2).flatten(2))


class _Block(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attn = _Attention(width, heads)
        self.attn_ln = torch.nn.LayerNorm(width)
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width)
        )
        self.mlp_ln = torch.nn.LayerNorm(width)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """One layer, [clips, positions, width]."""
        states = states + self.attn(self.attn_ln(states))
        return states + self.mlp(self.mlp_ln(states))


class AudioEncoder(torch.nn.Module):  # type: ignore[misc]
    """The encoder; its parameters are named as in the checkpoint."""

    def __init__(self, audio: AudioSettings) -> None:
        super().__init__()
        self.conv1 = torch.nn.Conv1d(audio.n_mels, audio.n_state, kernel_size=3, padding=1)
        self.conv2 = torch.nn.Conv1d(audio.n_state, audio.n_state, kernel_size=3, stride=2, padding=1)
        self.register_buffer("positional_embedding", torch.zeros(audio.n_ctx, audio.n_state))
        self.blocks = torch.nn.ModuleList(_Block(audio.n_state, audio.n_head) for _ in range(audio.n_layer))
        self.ln_post = torch.nn.LayerNorm(audio.n_state)
        self.proj = torch.nn.Linear(audio.n_state, audio.output_dim)
        self.audio_bos_eos_token = torch.nn.Embedding(2, audio.output_dim)

    def forward(self, input_features: torch.Tensor) -> torch.Tensor:
        """Encode clips of one length.

        Args:
            input_features: Log-mel up to where the sound ends, an even number of frames, [clips, mel bins, frames].

        Returns:
            What stands between and in place of the tags of the sound, [clips * (frames / 4 + 2), hidden].
        """
        states = functional.gelu(self.conv2(functional.gelu(self.conv1(input_features)))).transpose(1, 2)
        states = states + self.positional_embedding[: states.shape[1]]
        for block in self.blocks:
            states = block(states)
        halved = functional.avg_pool1d(states.transpose(1, 2), 2).transpose(1, 2)
        begin, end = (row.expand(halved.shape[0], 1, -1) for row in self.audio_bos_eos_token.weight)
        return torch.cat([begin, self.proj(self.ln_post(halved)), end], dim=1).flatten(0, 1)


class QwenAudio(torch.nn.Module):  # type: ignore[misc]
    """Encoder and text model."""

    def __init__(self, encoder: AudioEncoder, language_model: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.language_model = language_model

    def generate(self, input_ids: torch.Tensor, input_features: torch.Tensor, start: int, **options: Any) -> Any:  # noqa: ANN401
        """Answer a prompt, [1, tokens], whose sound begins at ``start``; see ``GenerationMixin.generate``."""
        embeds = self.language_model.get_input_embeddings()(input_ids)
        sound = self.encoder(input_features)
        embeds[0, start : start + len(sound)] = sound
        mask = torch.ones_like(input_ids)
        return self.language_model.generate(inputs_embeds=embeds, attention_mask=mask, **options)
