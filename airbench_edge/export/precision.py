"""Graphs in other number types than the one they were traced in."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.float16 import convert_float_to_float16

from airbench_edge.export.graphs import Traced
from airbench_edge.export.quiet import quiet

INLINE_LIMIT = 1_500_000_000


def save_graph(model: onnx.ModelProto, path: Path, inline_limit: int = INLINE_LIMIT) -> None:
    """Write a graph; beyond the limit its weights go to ``<name>.onnx_data`` beside it (protobuf ends at 2 GB).

    Args:
        model: The graph with its weights in memory.
        path: The ``.onnx`` file.
        inline_limit: Bytes up to which the weights stay inside.
    """
    if sum(len(tensor.raw_data) for tensor in model.graph.initializer) <= inline_limit:
        onnx.save(model, path)
        return
    data = path.with_name(path.name + "_data")
    onnx.save(model, path, save_as_external_data=True, all_tensors_to_one_file=True, location=data.name)


def in_float16(traced: Traced) -> Traced:
    """Weights, embeddings, keys and values become float16, and the graph computes in it; integer inputs stay."""
    model = onnx.ModelProto()
    model.CopyFrom(traced.model)  # the conversion changes what it is given
    return Traced(convert_float_to_float16(model, keep_io_types=False, disable_shape_infer=True), traced.weights)


def to_int8(source: Path, target: Path) -> None:
    """Matrix products with constant weights in int8, activations quantised as they come (one scale a tensor)."""
    options = {"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT}
    large = sum(file.stat().st_size for file in source.parent.glob(source.name + "*")) > INLINE_LIMIT
    with quiet():
        quantize_dynamic(
            source,
            target,
            op_types_to_quantize=["MatMul"],
            weight_type=QuantType.QInt8,
            use_external_data_format=large,
            extra_options=options,
        )


def merge_loose_weights(path: Path) -> None:
    """Put the many weight files that the exporter writes beside a graph of more than 2 GB into one."""
    model = onnx.load(path, load_external_data=False)
    loose = {
        entry.value for tensor in model.graph.initializer for entry in tensor.external_data if entry.key == "location"
    }
    if not loose:
        return
    whole = onnx.load(path)
    for name in loose:
        (path.parent / name).unlink()
    save_graph(whole, path, inline_limit=0)
