"""PyTorch modules to graphs without weights: their structure is traced, their weights are written from the checkpoint.

A trace needs shapes, not numbers. So every weight is replaced by a single number that pretends to have its shape, the
graph takes the weights as inputs, and ``weights.write_graph`` puts them in their places one after the other: no second
copy of a model is ever in memory.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import onnx
import torch

from airbench_edge.export.families.contract import Sample
from airbench_edge.export.quiet import quiet

OPSET = 18


class Traced(NamedTuple):
    """A graph that takes its weights as inputs.

    Attributes:
        model: The graph.
        weights: Input of the graph to the weight that belongs there, in the type it is stored in.
    """

    model: onnx.ModelProto
    weights: dict[str, torch.Tensor]


def trace(
    module: torch.nn.Module,
    arguments: Sequence[Any],
    samples: Sequence[Sample],
    outputs: dict[str, dict[int, str]],
    lengths: dict[str, dict[int, int]] | None = None,
) -> onnx.ModelProto:
    """Trace a module inside ``weightless``; the graph takes its weights as inputs, under their names in the module.

    The TorchScript exporter is used: for these graphs it is as exact as the newer one and ten to twenty times faster.

    Args:
        module: The module.
        arguments: What it is called with: the values of the samples, in lists where it wants lists.
        samples: The same, flat.
        outputs: Name of each output to its axes that vary.
        lengths: Name of an output to axes whose length the exporter cannot infer.
    """
    varies = {sample.name: sample.varies for sample in samples if sample.varies} | outputs
    written = io.BytesIO()
    with torch.no_grad(), quiet():
        torch.onnx.export(
            module.eval(),
            tuple(arguments),
            written,
            input_names=[sample.name for sample in samples],
            output_names=list(outputs),
            dynamic_axes=varies,
            opset_version=OPSET,
            export_params=False,
            do_constant_folding=False,
            dynamo=False,
        )
    model = onnx.load_from_string(written.getvalue())
    for output in model.graph.output:
        for axis, length in (lengths or {}).get(output.name, {}).items():
            output.type.tensor_type.shape.dim[axis].dim_value = length
    return model


@contextmanager
def weightless(*modules: torch.nn.Module) -> Iterator[None]:
    """Stand-ins of float32 in the place of all weights, without memory; the weights themselves come back afterwards."""
    holders = {id(part): part for module in modules for part in module.modules()}.values()
    before = [(part, dict(part._parameters), dict(part._buffers)) for part in holders]
    stand_ins: dict[int, torch.Tensor] = {}  # a weight that two modules share stays shared
    for part in holders:
        for name, weight in part._parameters.items():
            if weight is not None and weight.is_floating_point():
                part._parameters[name] = stand_ins.setdefault(id(weight), _stand_in(weight, len(stand_ins)))
        for name, buffer in part._buffers.items():
            if buffer is not None and buffer.is_floating_point():
                part._buffers[name] = stand_ins.setdefault(id(buffer), buffer.float())
    try:
        yield
    finally:
        for part, parameters, buffers in before:
            part._parameters.update(parameters)
            part._buffers.update(buffers)


def _stand_in(weight: torch.Tensor, index: int) -> torch.nn.Parameter:
    different = torch.tensor(1 + index * 2.0**-20)  # the exporter takes weights that are equal for one
    return torch.nn.Parameter(different.expand(weight.shape), requires_grad=False)
