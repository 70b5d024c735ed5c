"""RMS norms as one operator, which adds up in float32 whatever type the graph has.

Spelt out, a norm squares what it norms, and float16 ends at 65,504: an activation of 256 would be too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    """SimplifiedLayerNormalization of onnxruntime in a trace; only its shape matters while tracing."""

    @staticmethod
    def forward(_: Any, values: torch.Tensor, *__: Any) -> torch.Tensor:  # noqa: ANN401
        return torch.zeros_like(values)

    @staticmethod
    def symbolic(graph: Any, values: Any, scale: Any, epsilon: float) -> Any:  # noqa: ANN401
        """The operator, written into the graph."""
        normed = graph.op("SimplifiedLayerNormalization", values, scale, axis_i=-1, epsilon_f=epsilon, stash_type_i=1)
        normed.setType(values.type())
        return normed


@contextmanager
def fused_norms(stack: torch.nn.Module) -> Iterator[None]:
    """Let every RMS norm that multiplies by its weight be one operator, for as long as the block runs."""
    replaced = [module for module in stack.modules() if _is_plain_rms_norm(module)]
    for module in replaced:
        module.forward = _fused(module)
    try:
        yield
    finally:
        for module in replaced:
            del module.forward


def _fused(module: torch.nn.Module) -> Any:  # noqa: ANN401
    epsilon = _epsilon(module)
    return lambda values: _Operator.apply(values, module.weight, epsilon)


def _epsilon(module: torch.nn.Module) -> float | None:
    value = getattr(module, "variance_epsilon", getattr(module, "eps", None))
    return None if value is None else float(value)


def _is_plain_rms_norm(module: torch.nn.Module) -> bool:
    """Found by trying: some families bear the name and store weights less one."""
    weight, epsilon = getattr(module, "weight", None), _epsilon(module)
    if weight is None or weight.ndim != 1 or epsilon is None or not type(module).__name__.endswith("RMSNorm"):
        return False
    values = torch.linspace(-2, 3, 2 * len(weight)).reshape(2, -1)
    wanted = values * torch.rsqrt(values.square().mean(-1, keepdim=True) + epsilon) * weight
    return bool(torch.allclose(module(values), wanted, atol=1e-5))
