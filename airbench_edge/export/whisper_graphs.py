"""Whisper as two modules that can be traced, with attention spelt out.

The encoder gives the keys and values of cross-attention at once, so that no step of decoding computes them; the decoder
grows the keys and values of its own tokens. Module names are those of ``WhisperForConditionalGeneration``.
"""

from __future__ import annotations

from typing import TypeAlias

import torch

Pair: TypeAlias = tuple[torch.Tensor, torch.Tensor]


class WhisperEncoder(torch.nn.Module):  # type: ignore[misc]
    """Log-mel to keys and values of cross-attention, one pair a decoder layer."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = model.model.encoder
        self.attentions = torch.nn.ModuleList(layer.encoder_attn for layer in model.model.decoder.layers)

    def forward(self, input_features: torch.Tensor) -> list[Pair]:
        """Encode windows.

        Args:
            input_features: Log-mel, [windows, mel bins, frames] float32.

        Returns:
            For each decoder layer keys and values, [windows, heads, frames / 2, head size].
        """
        hidden = self.encoder(input_features).last_hidden_state
        return [(_heads(one.k_proj(hidden), one), _heads(one.v_proj(hidden), one)) for one in self.attentions]


class WhisperDecoder(torch.nn.Module):  # type: ignore[misc]
    """New tokens to logits, with what was decoded before kept as keys and values."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.decoder = model.model.decoder

    def forward(self, input_ids: torch.Tensor, past: list[Pair], cross: list[Pair]) -> tuple[torch.Tensor, list[Pair]]:
        """Run one step.

        Args:
            input_ids: New tokens, [windows, new] int64.
            past: Keys and values of earlier tokens for each layer, [windows, heads, past, head size].
            cross: What the encoder gave.

        Returns:
            Logits [windows, new, vocabulary] and the grown keys and values.
        """
        new, before = input_ids.shape[1], past[0][0].shape[2]
        places = torch.arange(new, device=input_ids.device) + before
        hidden = self.decoder.embed_tokens(input_ids) + self.decoder.embed_positions.weight[places]
        seen = torch.arange(before + new, device=input_ids.device)[None, :] <= places[:, None]
        mask = (~seen).to(hidden.dtype) * torch.finfo(hidden.dtype).min
        grown = []
        for layer, (keys, values), heard in zip(self.decoder.layers, past, cross, strict=True):
            own, asked = layer.self_attn, layer.self_attn_layer_norm(hidden)
            pair = (
                torch.cat([keys, _heads(own.k_proj(asked), own)], 2),
                torch.cat([values, _heads(own.v_proj(asked), own)], 2),
            )
            grown.append(pair)
            hidden = hidden + _attend(own, asked, pair, mask)
            hidden = hidden + _attend(layer.encoder_attn, layer.encoder_attn_layer_norm(hidden), heard, None)
            inner = layer.activation_fn(layer.fc1(layer.final_layer_norm(hidden)))
            hidden = hidden + layer.fc2(inner)
        # The head shares its weights with the embedding.
        return self.decoder.layer_norm(hidden) @ self.decoder.embed_tokens.weight.T, grown


def _heads(states: torch.Tensor, attention: torch.nn.Module) -> torch.Tensor:
    """[windows, places, width] to [windows, heads, places, head size]."""
    windows, places, _ = states.shape
    return states.view(windows, places, attention.num_heads, attention.head_dim).transpose(1, 2)


def _attend(attention: torch.nn.Module, hidden: torch.Tensor, pair: Pair, mask: torch.Tensor | None) -> torch.Tensor:
    keys, values = pair
    scores = _heads(attention.q_proj(hidden) * attention.scaling, attention) @ keys.transpose(2, 3)
    if mask is not None:
        scores = scores + mask
    heard = torch.softmax(scores, -1) @ values
    return attention.out_proj(heard.transpose(1, 2).flatten(2))
