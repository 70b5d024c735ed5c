"""Whisper as two modules that can be traced, with attention spelt out.

The encoder gives the keys and values of cross-attention at once, so that no step of decoding computes them; the decoder
grows the keys and values of its own tokens. Module names are those of ``WhisperForConditionalGeneration``.
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch.nn import functional

EXACT_WORDS = 64
COARSE = "head.coarse"
"""Name of the words' matrix in the traced decoder."""

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
        stack = self.encoder
        hidden = functional.gelu(stack.conv2(functional.gelu(stack.conv1(input_features))))
        hidden = hidden.transpose(1, 2) + stack.embed_positions.weight
        for layer in stack.layers:
            own, asked = layer.self_attn, layer.self_attn_layer_norm(hidden)
            heard = _Attention.apply(own.q_proj(asked), own.k_proj(asked), own.v_proj(asked), own.num_heads)
            hidden = hidden + own.out_proj(heard)
            hidden = hidden + layer.fc2(layer.activation_fn(layer.fc1(layer.final_layer_norm(hidden))))
        hidden = stack.layer_norm(hidden)
        return [(_heads(one.k_proj(hidden), one), _heads(one.v_proj(hidden), one)) for one in self.attentions]


class _Attention(torch.autograd.Function):  # type: ignore[misc]
    """Attention of all places to all, as one operator of onnxruntime, which never holds all scores at once."""

    @staticmethod
    def forward(_: object, queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, heads: int) -> torch.Tensor:
        """Attend; all are [windows, places, width]."""
        split = [part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in (queries, keys, values)]
        return functional.scaled_dot_product_attention(*split).transpose(1, 2).flatten(2)

    @staticmethod
    def symbolic(
        graph: torch.Graph, queries: torch.Value, keys: torch.Value, values: torch.Value, heads: int
    ) -> torch.Value:
        """Write the operator into a traced graph."""
        attended = graph.op("com.microsoft::MultiHeadAttention", queries, keys, values, num_heads_i=heads)
        return attended.setType(queries.type())


class WhisperDecoder(torch.nn.Module):  # type: ignore[misc]
    """New tokens to logits, with what was decoded before kept as keys and values."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.decoder = model.model.decoder
        self.head = WhisperHead(self.decoder.embed_tokens.weight, model.config.eos_token_id)

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
        return self.head(self.decoder.layer_norm(hidden)), grown


class WhisperHead(torch.nn.Module):  # type: ignore[misc]
    """Hidden states to logits; most of a small model's step is spent here, on reading the weights of 50,000 words.

    So the words' part is a matrix of its own, which the export stores in 8 bits; the likeliest words and all that is no
    word (the end, timestamps) get their logits from the float32 embedding, so that greedy choices are exact.

    Args:
        embedding: The embedding, which is the head as well, [vocabulary, width].
        words: Tokens below this one are words.
    """

    def __init__(self, embedding: torch.nn.Parameter, words: int) -> None:
        super().__init__()
        self.embedding = embedding
        self.words = words
        self.coarse = torch.nn.Parameter(embedding[:words].T.clone(), requires_grad=False)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits [windows, new, vocabulary] of hidden states [windows, new, width]."""
        coarse = hidden @ self.coarse
        likeliest = coarse.topk(min(EXACT_WORDS, self.words), -1).indices
        exact = (self.embedding[likeliest] @ hidden[..., None]).squeeze(-1)
        others = hidden @ self.embedding[self.words :].T
        return torch.cat([coarse.scatter(-1, likeliest, exact), others], -1)


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
