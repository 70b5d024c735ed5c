"""Granite Speech's conformer and its window of queries, for clips of any length.

The arithmetic is that of ``GraniteSpeechCTCEncoder`` and ``GraniteSpeechEncoderProjector`` in transformers, which count
blocks with Python's numbers: in a graph these would stay those of the clip that it was traced with.
"""

from __future__ import annotations

import torch
from torch.nn import functional


class GraniteEncoder(torch.nn.Module):  # type: ignore[misc]
    """Conformer and projector.

    Args:
        conformer: ``GraniteSpeechCTCEncoder``.
        projector: ``GraniteSpeechEncoderProjector``.
    """

    def __init__(self, conformer: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.conformer = conformer
        self.projector = projector
        self.context = conformer.config.context_size

    def forward(self, input_features: torch.Tensor) -> torch.Tensor:
        """Encode clips of one length.

        Args:
            input_features: Pairs of log-mel frames, [clips, frames, 160].

        Returns:
            Audio features, [clips, queries, hidden].
        """
        conformer = self.conformer
        blocks = _blocks(input_features.shape[1], self.context)
        hidden = conformer.input_linear(input_features)
        for number, layer in enumerate(conformer.layers, start=1):
            hidden = hidden + 0.5 * layer.ff1(hidden)
            hidden = hidden + self._attend(layer.attn, hidden, blocks)
            hidden = hidden + layer.conv(hidden)
            hidden = layer.post_norm(hidden + 0.5 * layer.ff2(hidden))
            if number == conformer.num_layers // 2:
                hidden = hidden + conformer.out_mid(torch.softmax(conformer.out(hidden), -1))
        return self._project(hidden)

    def _attend(self, attention: torch.nn.Module, hidden: torch.Tensor, blocks: int) -> torch.Tensor:
        """Attention within blocks of frames, with a term for the distance between two (Shaw et al. 2018)."""
        clips, frames, _ = hidden.shape
        hidden = functional.pad(attention.pre_norm(hidden), (0, 0, 0, blocks * self.context - frames))
        query, key, value = (
            part.reshape(clips, blocks, self.context, attention.num_heads, attention.dim_head).transpose(2, 3)
            for part in (attention.to_q(hidden), *attention.to_kv(hidden).chunk(2, -1))
        )
        place = torch.arange(self.context, device=hidden.device)
        distances = attention.rel_pos_emb(place[:, None] - place[None] + attention.max_pos_emb)
        by_place = query.permute(3, 0, 1, 2, 4).reshape(self.context, -1, attention.dim_head)
        distant = by_place @ distances.transpose(1, 2)
        distant = distant.reshape(self.context, clips, blocks, attention.num_heads, self.context)
        scores = (query @ key.transpose(-1, -2) + distant.permute(1, 2, 3, 0, 4)) * attention.scale
        silent = (torch.arange(blocks * self.context, device=hidden.device) >= frames).reshape(blocks, 1, 1, -1)
        scores = scores + silent.to(scores.dtype) * torch.finfo(scores.dtype).min
        mixed = (torch.softmax(scores, -1) @ value).transpose(2, 3).flatten(3).flatten(1, 2)
        return attention.to_out(mixed[:, :frames])

    def _project(self, hidden: torch.Tensor) -> torch.Tensor:
        """A few queries for each window of frames, the last of which is filled up with zeros."""
        projector = self.projector
        clips, frames, width = hidden.shape
        windows = _blocks(frames, projector.window_size)
        hidden = functional.pad(hidden, (0, 0, 0, windows * projector.window_size - frames))
        hidden = hidden.reshape(clips * windows, projector.window_size, width)
        queries = projector.query.expand(clips * windows, -1, -1)
        answers = projector.qformer(query_embeds=queries, encoder_hidden_states=hidden).last_hidden_state
        return projector.linear(answers).reshape(clips, windows * projector.num_queries, -1)


def _blocks(frames: int, size: int) -> int:
    return (frames + size - 1) // size
