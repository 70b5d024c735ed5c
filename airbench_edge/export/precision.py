"""Float32 graphs to smaller ones: float16, int8, int4, and float32 stored compactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.transformers.float16 import convert_float_to_float16

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


def to_float16(source: Path, target: Path) -> None:
    """Weights, embeddings, keys and values become float16; integer inputs stay."""
    save_graph(convert_float_to_float16(onnx.load(source), keep_io_types=False, disable_shape_infer=True), target)


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


def to_int4(source: Path, target: Path) -> None:
    """Matrix products with constant weights in int4, one scale for 32 weights, multiplied in int8."""
    quantizer = MatMulNBitsQuantizer(onnx.load(source), block_size=32, is_symmetric=True, accuracy_level=4)
    with quiet():
        quantizer.process()
    save_graph(quantizer.model.model, target)


def to_compact(source: Path, target: Path) -> None:
    """Store each float32 weight that float16 holds exactly as float16, cast back in the graph: half the file.

    The numbers are the same, and onnxruntime folds the casts when it loads the graph, so that it runs no slower.
    """
    model = onnx.load(source)
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor) if tensor.data_type == TensorProto.FLOAT else np.empty(0, np.float32)
        with np.errstate(over="ignore"):
            half = values.astype(np.float16)
        if values.size < 64 or not np.array_equal(half.astype(np.float32), values):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(half, name + ".float16"))
        casts.append(helper.make_node("Cast", [tensor.name], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    save_graph(model, target)


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
