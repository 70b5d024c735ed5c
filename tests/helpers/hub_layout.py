"""The graphs of the tiny model, changed to how other exporters write them; what they say stays the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data


def renamed(model: onnx.ModelProto, old: str, new: str) -> onnx.ModelProto:
    """Give an input or output another name."""
    for value in (*model.graph.input, *model.graph.output):
        if value.name == old:
            value.name = new
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = [new if name == old else name for name in names]
    return model


def reordered(model: onnx.ModelProto) -> onnx.ModelProto:
    """Inputs and outputs backwards, so that all values stand before all keys and the logits last."""
    for values in (model.graph.input, model.graph.output):
        backwards = list(values)[::-1]
        del values[:]
        values.extend(backwards)
    return model


def with_an_output_before(model: onnx.ModelProto, name: str) -> onnx.ModelProto:
    """A first output that is not the wanted one: zeros of its shape."""
    wanted = model.graph.output[0]
    model.graph.node.append(helper.make_node("Sub", [wanted.name, wanted.name], [name]))
    other = onnx.ValueInfoProto()
    other.CopyFrom(wanted)
    other.name = name
    del model.graph.output[:]
    model.graph.output.extend([other, wanted])
    return model


def with_cache_branch(model: onnx.ModelProto) -> onnx.ModelProto:
    """An input ``use_cache_branch`` as of old merged decoders; wherever it does not tell the truth, logits are 0."""
    nodes = [
        helper.make_node("Shape", ["past_key_values.0.key"], ["past_length"], start=2, end=3),
        helper.make_node("Cast", ["past_length"], ["has_past"], to=TensorProto.BOOL),
        helper.make_node("Equal", ["has_past", "use_cache_branch"], ["truth"]),
        helper.make_node("Cast", ["truth"], ["factor"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["honest_logits", "factor"], ["logits"]),
    ]
    for node in model.graph.node:
        node.output[:] = ["honest_logits" if name == "logits" else name for name in node.output]
    model.graph.node.extend(nodes)
    model.graph.input.append(helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]))
    return model


def with_counted_logits(model: onnx.ModelProto) -> onnx.ModelProto:
    """``num_logits_to_keep`` as a tensor of one element instead of a scalar."""
    for node in model.graph.node:
        node.input[:] = ["kept_scalar" if name == "num_logits_to_keep" else name for name in node.input]
    model.graph.node.insert(0, helper.make_node("Squeeze", ["num_logits_to_keep", "axis_0"], ["kept_scalar"]))
    model.graph.initializer.append(numpy_helper.from_array(np.array([0]), "axis_0"))
    port = next(value for value in model.graph.input if value.name == "num_logits_to_keep")
    port.type.tensor_type.shape.dim.add().dim_value = 1
    return model


def save_with_weights_beside(model: onnx.ModelProto, path: Path) -> None:
    """Weights in ``.onnx_data`` and ``.onnx_data_1``, as repositories keep those beyond 2 GB."""
    for place, tensor in enumerate(model.graph.initializer):
        tensor.raw_data = numpy_helper.to_array(tensor).tobytes()
        for field in ("float_data", "int32_data", "int64_data"):
            tensor.ClearField(field)
        set_external_data(tensor, f"{path.name}_data{'_1' if place % 2 else ''}")
    onnx.save(model, path)
