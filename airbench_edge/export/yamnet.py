"""A quantised YAMNet of Qualcomm's AI Hub becomes a graph from float log-mel to probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from airbench_edge.errors import InputError

_INPUT, _OUTPUT = "log_mel", "probabilities"


def convert_yamnet(source: Path, out: Path) -> None:
    """Take the eight-bit steps off both ends, let it take any number of patches, and add YAMNet's last sigmoid.

    The scores of the given graph come in steps of 0.76; those of the layer before are kept as they are.

    Args:
        source: ``model.onnx`` with uint8 ``audio`` in and uint8 ``class_scores`` out; its weights stand beside it.
        out: The new ``.onnx`` file, weights inside.

    Raises:
        InputError: The graph is of another form.
    """
    model = onnx.load(source)
    graph = model.graph
    first = next((node for node in graph.node if graph.input[0].name in node.input), None)
    last = graph.node[-1]
    if first is None or (first.op_type, last.op_type) != ("DequantizeLinear", "QuantizeLinear"):
        raise InputError(f"{source} is no YAMNet graph with eight-bit input and output.")
    classes = graph.output[0].type.tensor_type.shape.dim[-1].dim_value
    shape = [dim.dim_value for dim in graph.input[0].type.tensor_type.shape.dim[1:]]
    for node in graph.node:
        node.input[:] = [_INPUT if name == first.output[0] else name for name in node.input]
    sigmoid = helper.make_node("Sigmoid", [last.input[0]], [_OUTPUT])
    graph.node.remove(first)
    graph.node.remove(last)
    graph.node.append(sigmoid)
    _free_the_batch(graph)
    for ports, name, lengths in ((graph.input, _INPUT, shape), (graph.output, _OUTPUT, [classes])):
        del ports[:]
        ports.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["patches", *lengths]))
    del graph.value_info[:]
    onnx.save(model, out)


def _free_the_batch(graph: onnx.GraphProto) -> None:
    """Flatten each patch, however many there are; the traced graph says one."""
    targets = {node.input[1] for node in graph.node if node.op_type == "Reshape"}
    for tensor in graph.initializer:
        if tensor.name in targets:  # 0 keeps a length
            tensor.CopyFrom(numpy_helper.from_array(np.array([0, -1], np.int64), tensor.name))
