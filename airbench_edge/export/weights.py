"""Weights on their way from a checkpoint into a graph, a block at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import NodeProto, TensorProto, helper
from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, DefaultWeightOnlyQuantizer

from airbench_edge.export.graphs import Traced

INLINE_LIMIT = 200_000_000
"""Bytes of weights up to which a graph is one file. Beyond, onnxruntime maps them from a second one; protobuf ends at
2 GB."""

_ALIGNMENT = 64
_BLOCK = 1 << 24
"""Numbers that are converted at once."""

_NARROW: dict[torch.dtype, np.dtype[Any]] = {
    torch.float16: np.dtype(np.float16),
    torch.bfloat16: np.dtype(ml_dtypes.bfloat16),
}

_INT4 = DefaultWeightOnlyQuantConfig(block_size=32, is_symmetric=True, accuracy_level=4)


class NotFiniteError(ValueError):
    """A weight, which the message names, holds NaN or infinity."""


class Keep(Enum):
    """How a graph keeps its weights.

    ``FLOAT32``: as float32. ``COMPACT``: in 16 bits where that loses nothing, cast back in the graph; the numbers are
    the same, and onnxruntime casts once, when it loads. ``FLOAT16``: as float16, for a graph that computes in it.
    ``INT4``: factors of matrix products in 4 bits, one scale for 32 of them; the rest as float32.
    """

    FLOAT32 = "float32"
    COMPACT = "compact"
    FLOAT16 = "float16"
    INT4 = "int4"


def write_graph(
    traced: Traced,
    path: Path,
    keep: Keep,
    advanced: Callable[[int], None] = lambda _: None,
    inline_limit: int = INLINE_LIMIT,
) -> None:
    """Write a graph with its weights.

    Args:
        traced: The graph, which takes its weights as inputs, and the weights.
        path: The ``.onnx`` file; large weights go to ``.onnx_data`` beside it.
        keep: How.
        advanced: Called after each weight with the bytes that it takes in the checkpoint.
        inline_limit: Bytes up to which the weights stay inside.

    Raises:
        NotFiniteError: A weight holds what is no finite number.
    """
    model = onnx.ModelProto()
    model.CopyFrom(traced.model)
    graph = model.graph
    transposed = _fold_transposes(graph, set(traced.weights))
    users = _users(graph, set(traced.weights))
    first: list[NodeProto] = []
    beside = path.with_name(path.name + "_data")
    with beside.open("wb") as file:
        for name in [taken.name for taken in graph.input if taken.name in traced.weights]:
            weight = traced.weights[name]
            turned = weight.T if name in transposed else weight
            if keep is Keep.INT4 and _is_factor(name, turned, users[name]):
                graph.initializer.extend(_write_int4(file, name, turned, users[name][0]))
            elif keep is Keep.COMPACT and (stored := _narrowest(name, turned)):
                graph.initializer.append(_write(file, f"{name}.stored", turned, stored))
                first.append(helper.make_node("Cast", [f"{name}.stored"], [name], to=TensorProto.FLOAT))
            else:
                dtype = np.dtype(np.float16 if keep is Keep.FLOAT16 else np.float32)
                graph.initializer.append(_write(file, name, turned, dtype))
            advanced(weight.nbytes)
    _replace(graph.input, [taken for taken in graph.input if taken.name not in traced.weights])
    _replace(graph.node, [*first, *graph.node])
    for domain in {node.domain for node in graph.node} - {known.domain for known in model.opset_import}:
        model.opset_import.append(helper.make_opsetid(domain, 1))
    onnx.save(model, path)
    if beside.stat().st_size <= inline_limit:
        onnx.save(onnx.load(path), path)
        beside.unlink()


def _blocks(name: str, weight: torch.Tensor) -> Iterator[npt.NDArray[np.generic]]:
    """The numbers of a weight in order, as float32 where they are floats."""
    rows = weight.reshape(1) if weight.ndim == 0 else weight
    for block in rows.split(max(1, _BLOCK // max(1, rows[:1].numel()))):
        yield _numbers(name, block)


def _numbers(name: str, block: torch.Tensor) -> npt.NDArray[np.generic]:
    numbers: npt.NDArray[np.generic] = (block.float() if block.is_floating_point() else block).contiguous().numpy()
    if not np.isfinite(numbers).all():
        raise NotFiniteError(name)
    return numbers


def _write(file: BinaryIO, name: str, weight: torch.Tensor, dtype: np.dtype[Any]) -> TensorProto:
    """Append a weight to a file, floats in the given type; what float16 cannot reach is brought to its ends."""
    begin = _begin(file)
    if not weight.is_floating_point():
        dtype = next(_blocks(name, weight)).dtype
    for block in _blocks(name, weight):
        if dtype == np.float16:
            block = np.clip(block, np.finfo(dtype).min, np.finfo(dtype).max)
        file.write(np.ascontiguousarray(block, dtype).tobytes())
    return _outside(file, begin, name, dtype, tuple(weight.shape))


def _write_int4(file: BinaryIO, name: str, weight: torch.Tensor, user: NodeProto) -> list[TensorProto]:
    """Append a factor [in, out] in 4 bits, and make the product that uses it one of 4 bits."""
    quantizer = DefaultWeightOnlyQuantizer(_INT4)
    height, width = weight.shape
    parts = [
        quantizer.qbits_block_quant(_numbers(name, block))[:2]
        for block in weight.split(max(1, _BLOCK // height), dim=1)
    ]
    tensors = []
    for suffix, arrays in zip(("_Q4", "_scales"), zip(*parts, strict=True), strict=True):
        begin = _begin(file)
        for array in arrays:
            file.write(np.ascontiguousarray(array).data)
        shape = (width, *arrays[0].shape[1:])
        tensors.append(_outside(file, begin, name + suffix, arrays[0].dtype, shape))
    attributes = {"K": height, "N": width, "bits": 4, "block_size": _INT4.block_size}
    user.CopyFrom(
        helper.make_node(
            "MatMulNBits",
            [user.input[0], *(tensor.name for tensor in tensors)],
            list(user.output),
            user.name,
            domain="com.microsoft",
            accuracy_level=_INT4.accuracy_level,
            **attributes,
        )
    )
    return tensors


def _begin(file: BinaryIO) -> int:
    file.write(bytes(-file.tell() % _ALIGNMENT))
    return file.tell()


def _outside(file: BinaryIO, begin: int, name: str, dtype: np.dtype[np.generic], shape: tuple[int, ...]) -> TensorProto:
    """A tensor that says where its numbers are: from ``begin`` to where the file ends now."""
    tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(dtype), dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    where = {"location": Path(file.name).name, "offset": begin, "length": file.tell() - begin}
    for key, entry in where.items():
        tensor.external_data.add(key=key, value=str(entry))
    return tensor


def _narrowest(name: str, weight: torch.Tensor) -> np.dtype[Any] | None:
    """The type of 16 bits that holds a weight exactly, if there is one."""
    if weight.dtype in _NARROW or not weight.is_floating_point() or weight.numel() < 64:
        return _NARROW.get(weight.dtype)
    with np.errstate(over="ignore"):
        fits = all(
            np.array_equal(block.astype(np.float16).astype(np.float32), block) for block in _blocks(name, weight)
        )
    return np.dtype(np.float16) if fits else None


def _is_factor(name: str, weight: torch.Tensor, users: list[NodeProto]) -> bool:
    return weight.ndim == 2 and len(users) == 1 and users[0].op_type == "MatMul" and users[0].input[1] == name


def _users(graph: onnx.GraphProto, names: set[str]) -> defaultdict[str, list[NodeProto]]:
    users = defaultdict(list)
    for node in graph.node:
        for taken in names & set(node.input):
            users[taken].append(node)
    return users


def _fold_transposes(graph: onnx.GraphProto, names: set[str]) -> set[str]:
    """Take out the transposition of weights before a product; return those that are to be written transposed."""
    folded = {
        name: nodes
        for name, nodes in _users(graph, names).items()
        if all(node.op_type == "Transpose" and list(node.attribute[0].ints) == [1, 0] for node in nodes)
    }
    renamed = {node.output[0]: name for name, nodes in folded.items() for node in nodes}
    nodes = [node for node in graph.node if node.output[0] not in renamed]
    for node in nodes:
        node.input[:] = [renamed.get(taken, taken) for taken in node.input]
    _replace(graph.node, nodes)
    return set(folded)


def _replace(field: Any, entries: list[Any]) -> None:  # noqa: ANN401 (a repeated field of any message)
    del field[:]
    field.extend(entries)
