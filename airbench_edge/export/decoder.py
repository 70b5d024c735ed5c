"""The decoder as a graph: embeddings and past keys and values in, logits and grown keys and values out."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import torch

from airbench_edge.export.families.contract import Sample

Past = list[tuple[torch.Tensor, torch.Tensor]]
"""Keys and values of each layer, [batch, heads, past, head size]."""

BATCH, PAST, NEW = 2, 5, 3
"""Lengths of the example inputs: none is 0 or 1, and no two are alike."""


class Shape(NamedTuple):
    """Lengths of a decoder.

    Attributes:
        layers: Layers that keep keys and values of their own.
        kv_heads: Heads of keys and values.
        head_size: Values a head.
        hidden: Width of an embedding.
        positions: Longest sequence that the checkpoint is made for.
    """

    layers: int
    kv_heads: int
    head_size: int
    hidden: int
    positions: int

    @classmethod
    def of(cls, stack: torch.nn.Module) -> Shape:
        """Read them from a decoder's configuration."""
        config = stack.config
        return cls(
            config.num_hidden_layers - (getattr(config, "num_kv_shared_layers", None) or 0),
            config.num_key_value_heads,
            getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads,
            config.hidden_size,
            config.max_position_embeddings,
        )


def past_samples(shape: Shape) -> list[Sample]:
    """Example keys and values, named as the ecosystem names them."""
    return [
        Sample(
            f"past_key_values.{layer}.{part}",
            torch.randn(BATCH, shape.kv_heads, PAST, shape.head_size),
            {0: "batch", 2: "past"},
        )
        for layer in range(shape.layers)
        for part in ("key", "value")
    ]


def embedded_samples(embedded: dict[str, torch.Tensor]) -> list[Sample]:
    """Example embeddings, from those of ``NEW`` tokens a row."""
    return [Sample(name, value, {0: "batch", 1: "new"}) for name, value in embedded.items()]


def run_stack(stack: torch.nn.Module, embedded: dict[str, torch.Tensor], **inputs: Any) -> Any:  # noqa: ANN401
    """Call a decoder of any version of transformers; version 5 calls its cache ``cache``."""
    if "past_key_values" in inputs and "cache" in inspect.signature(type(stack).forward).parameters:
        inputs["cache"] = inputs.pop("past_key_values")
    return stack(**embedded, use_cache="cache" in inputs or "past_key_values" in inputs, **inputs)
