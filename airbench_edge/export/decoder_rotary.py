"""Rotary embedding handed over to the fused operator: the tables it reads, and the model's own rotation set aside."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch

MOST_POSITIONS = 32_768
"""Cap on the rows of the tables: 16 MB at a head size of 128, and more than ten times the longest prompt of a clip."""

_ROTATIONS = ("apply_multimodal_rotary_pos_emb", "apply_rotary_pos_emb")


class NotFusedError(Exception):
    """Why a decoder cannot be exported with the fused operator."""


class Rotary(NamedTuple):
    """What the operator needs to rotate.

    Attributes:
        cos: Cosines, [positions, rotated values / 2] float32.
        sin: Sines, alike.
        interleaved: Whether neighbours make a pair; otherwise value and value half a head further.
    """

    cos: torch.Tensor
    sin: torch.Tensor
    interleaved: bool


def attention_modules(stack: torch.nn.Module) -> list[torch.nn.Module]:
    """The modules that transformers dispatches by the name of an attention implementation."""
    return [module for module in stack.modules() if hasattr(module, "layer_idx") and hasattr(module, "o_proj")]


def rotary_of(stack: torch.nn.Module) -> Rotary:
    """Ask the model's own rotary module for every position, so that no scaling needs a formula here.

    Raises:
        NotFusedError: The operator cannot rotate like that.
    """
    rotary = getattr(stack, "rotary_emb", None)
    if rotary is None or hasattr(stack, "rotary_emb_local") or "layer_type" in _parameters(rotary):
        raise NotFusedError("it does not rotate every layer by one table")
    positions = torch.arange(_most_positions(stack.config))[None]
    if _rotation(stack)[1] == _ROTATIONS[0]:  # three kinds of position, equal where there is no picture
        positions = positions.expand(3, 1, -1)
    cos, sin = (table.reshape(-1, *table.shape[-2:])[0] for table in rotary(torch.zeros(1, 1, 1), positions))
    half = cos.shape[-1] // 2
    if half % 8:
        raise NotFusedError(f"it rotates {2 * half} values a head, and the operator wants a multiple of 16")
    if torch.equal(cos[:, :half], cos[:, half:]):
        return Rotary(cos[:, :half].contiguous(), sin[:, :half].contiguous(), interleaved=False)
    if torch.equal(cos[:, ::2], cos[:, 1::2]):
        return Rotary(cos[:, ::2].contiguous(), sin[:, ::2].contiguous(), interleaved=True)
    raise NotFusedError("it pairs the values of a head in a way that the operator does not know")


@contextmanager
def unrotated(stack: torch.nn.Module) -> Iterator[None]:
    """Let the Python module of the decoder's attention rotate nothing, for as long as the block runs."""
    module, name = _rotation(stack)
    rotation = getattr(module, name)
    setattr(module, name, lambda query, key, *_, **__: (query, key))
    try:
        yield
    finally:
        setattr(module, name, rotation)


def _most_positions(config: Any) -> int:  # noqa: ANN401 (any configuration of transformers)
    """Rows of the tables; those of a long-range scaling end where it switches to other frequencies."""
    scaling = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    most = config.max_position_embeddings
    if (scaling.get("rope_type") or scaling.get("type")) == "longrope":
        most = scaling.get("original_max_position_embeddings") or config.original_max_position_embeddings
    return min(int(most), MOST_POSITIONS)


def _rotation(stack: torch.nn.Module) -> tuple[Any, str]:
    """The Python module of the attention class, and the name of the function by which it rotates."""
    for attention in attention_modules(stack)[:1]:
        source = inspect.getsource(type(attention))
        module = sys.modules[type(attention).__module__]
        for name in _ROTATIONS:
            if f"{name}(" in source and {"q", "k"} <= set(_parameters(getattr(module, name))):
                return module, name
    raise NotFusedError("its attention rotates in a way that is not known here")


def _parameters(function: Any) -> Any:  # noqa: ANN401 (function or module)
    return inspect.signature(getattr(function, "forward", function)).parameters
