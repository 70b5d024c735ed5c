"""The decoder as a graph: embeddings and past keys and values in, logits and grown keys and values out."""

from __future__ import annotations

import inspect

import torch
from transformers import DynamicCache

from airbench_edge.errors import InputError
from airbench_edge.export.families.contract import Sample


class PlainDecoder(torch.nn.Module):  # type: ignore[misc]
    """One graph for the prompt (past of length 0) and for each further token, with attention spelt out.

    The causal mask is computed here rather than by transformers, whose mask functions change with the version and bake
    lengths into a trace.

    Args:
        stack: From embeddings to the last hidden state, of any version of transformers.
        head: From there to logits.
    """

    def __init__(self, stack: torch.nn.Module, head: torch.nn.Module) -> None:
        super().__init__()
        self.stack = stack
        self.head = head
        self.cache_argument = _cache_argument(self.stack)
        if "sliding_attention" in (getattr(self.stack.config, "layer_types", None) or ()):
            raise InputError("Cannot export a decoder with sliding-window attention; set use_sliding_window to false.")

    def forward(
        self,
        inputs_embeds: torch.Tensor,
        attention_mask: torch.Tensor,
        position_ids: torch.Tensor,
        num_logits_to_keep: torch.Tensor,
        past: list[tuple[torch.Tensor, torch.Tensor]],
    ) -> tuple[torch.Tensor, list[tuple[torch.Tensor, torch.Tensor]]]:
        """Run one step.

        Args:
            inputs_embeds: New positions, [batch, new, hidden].
            attention_mask: 1 for real positions, 0 for padding, [batch, past + new] int64.
            position_ids: Positions for the rotary embedding, [batch, new] int64.
            num_logits_to_keep: How many of the last positions reach the vocabulary; 0 means all. Scalar int64.
            past: Keys and values of each layer, [batch, heads, past, head size].

        Returns:
            Logits [batch, kept, vocabulary] and the grown keys and values.
        """
        cache = DynamicCache([(key, value) for key, value in past])
        output = self.stack(
            inputs_embeds=inputs_embeds,
            attention_mask=_causal_mask(attention_mask, inputs_embeds),
            position_ids=position_ids,
            use_cache=True,
            **{self.cache_argument: cache},
        )
        hidden = output.last_hidden_state[:, -num_logits_to_keep:]
        grown = getattr(output, self.cache_argument)
        return self.head(hidden), [(layer.keys, layer.values) for layer in grown.layers]


def _causal_mask(attention_mask: torch.Tensor, inputs_embeds: torch.Tensor) -> torch.Tensor:
    """Additive mask [batch, 1, new, past + new]: a position sees itself and what came before, but no padding."""
    new, total = inputs_embeds.shape[1], attention_mask.shape[1]
    row = torch.arange(new, device=attention_mask.device)[:, None] + (total - new)
    column = torch.arange(total, device=attention_mask.device)[None, :]
    seen = (column <= row)[None, None] & (attention_mask[:, None, None, :] > 0)
    return (~seen).to(inputs_embeds.dtype) * torch.finfo(inputs_embeds.dtype).min


def _cache_argument(stack: torch.nn.Module) -> str:
    """Name under which this version of transformers takes and returns the cache: version 5 renamed it."""
    return "cache" if "cache" in inspect.signature(type(stack).forward).parameters else "past_key_values"


def decoder_samples(decoder: PlainDecoder) -> list[Sample]:
    """Example inputs: a batch of 2 with 5 past and 3 new positions, lengths that nothing else has."""
    config = decoder.stack.config
    heads = config.num_key_value_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    row, total = {0: "batch", 1: "new"}, {0: "batch", 1: "total"}
    samples = [
        Sample("inputs_embeds", torch.randn(2, 3, config.hidden_size), row),
        Sample("attention_mask", torch.ones(2, 8, dtype=torch.int64), total),
        Sample("position_ids", torch.arange(5, 8).expand(2, -1).contiguous(), row),
        Sample("num_logits_to_keep", torch.tensor(1), {}),
    ]
    for layer in range(config.num_hidden_layers):
        for part in ("key", "value"):
            name = f"past_key_values.{layer}.{part}"
            samples.append(Sample(name, torch.randn(2, heads, 5, size), {0: "batch", 2: "past"}))
    return samples
