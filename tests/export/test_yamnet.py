from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from airbench_edge.errors import InputError
from airbench_edge.export.yamnet import convert_yamnet

SCALE, ZERO = 0.05, 144


def write_quantised(path: Path, *, float_ends: bool = False) -> np.ndarray:
    """A classifier of 3 classes with 8-bit ends, one patch at a time, weights outside; returns them, [6144, 3]."""
    weights = np.random.default_rng(0).normal(0, 0.01, (6144, 3)).astype(np.float32)
    kind = TensorProto.FLOAT if float_ends else TensorProto.UINT8
    ends = [
        helper.make_node("DequantizeLinear", ["audio", "scale", "zero"], ["sound"]),
        helper.make_node("QuantizeLinear", ["raw", "coarse", "zero"], ["class_scores"]),
    ]
    middle = [
        helper.make_node("Reshape", ["audio" if float_ends else "sound", "shape"], ["flat"]),
        helper.make_node("MatMul", ["flat", "weights"], ["class_scores" if float_ends else "raw"]),
    ]
    graph = helper.make_graph(
        middle if float_ends else [ends[0], *middle, ends[1]],
        "classifier",
        [helper.make_tensor_value_info("audio", kind, [1, 1, 96, 64])],
        [helper.make_tensor_value_info("class_scores", kind, [1, 3])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array([1, 6144], np.int64), "shape"),
            numpy_helper.from_array(np.array(SCALE, np.float32), "scale"),
            numpy_helper.from_array(np.array(0.75, np.float32), "coarse"),
            numpy_helper.from_array(np.array(ZERO, np.uint8), "zero"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    onnx.save(model, path, save_as_external_data=True, location="model.data", size_threshold=0)
    return weights


def test_float_patches_in_probabilities_out(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    weights = write_quantised(tmp_path / "given" / "model.onnx")
    convert_yamnet(tmp_path / "given" / "model.onnx", tmp_path / "yamnet.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "yamnet.onnx", providers=["CPUExecutionProvider"])
    patches = np.random.default_rng(1).normal(-3, 2, (5, 1, 96, 64)).astype(np.float32)
    (made,) = session.run(None, {"log_mel": patches})
    # sigmoid(x) = 1 / (1 + e^-x), of scores that no step of 0.75 was taken in.
    np.testing.assert_allclose(made, 1 / (1 + np.exp(-(patches.reshape(5, -1) @ weights))), atol=1e-5)
    assert not list(tmp_path.glob("*.data"))


def test_a_graph_with_float_ends_is_refused(tmp_path: Path) -> None:
    write_quantised(tmp_path / "model.onnx", float_ends=True)
    with pytest.raises(InputError, match="is no YAMNet graph with eight-bit input and output"):
        convert_yamnet(tmp_path / "model.onnx", tmp_path / "out.onnx")
