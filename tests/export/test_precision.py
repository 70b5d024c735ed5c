from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from helpers.tiny_audiolm import CASE

pytest.importorskip("onnx_ir", reason="the export extra is not installed")

from airbench_edge.export.precision import merge_loose_weights, save_graph, to_int8

EMBED = CASE / "onnx" / "embed_tokens.onnx"
DECODER = CASE / "onnx" / "decoder_model_merged.onnx"


def test_weights_beyond_the_limit_stand_beside_the_graph(tmp_path: Path) -> None:
    path = tmp_path / "embed_tokens.onnx"
    save_graph(onnx.load(EMBED), path, inline_limit=1000)
    assert {file.name for file in tmp_path.iterdir()} == {"embed_tokens.onnx", "embed_tokens.onnx_data"}
    ids = {"input_ids": np.array([[1, 7, 300]])}
    made, wanted = (
        onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"]).run(None, ids)[0]
        for file in (path, EMBED)
    )
    assert np.array_equal(made, wanted)


def test_loose_weights_become_one_file(tmp_path: Path) -> None:
    path = tmp_path / "decoder_model_merged.onnx"
    onnx.save(onnx.load(DECODER), path, save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    assert len(list(tmp_path.iterdir())) > 10
    merge_loose_weights(path)
    assert {file.name for file in tmp_path.iterdir()} == {path.name, path.name + "_data"}
    onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def test_int8_converts_the_products(tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(64, 64)).astype(np.float32)
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["rows", "factor"], ["products"])],
        "product",
        [helper.make_tensor_value_info("rows", onnx.TensorProto.FLOAT, [None, 64])],
        [helper.make_tensor_value_info("products", onnx.TensorProto.FLOAT, [None, 64])],
        [onnx.numpy_helper.from_array(values, "factor")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, tmp_path / "source.onnx")
    to_int8(tmp_path / "source.onnx", tmp_path / "small.onnx")
    assert "MatMulInteger" in {node.op_type for node in onnx.load(tmp_path / "small.onnx").graph.node}
    session = onnxruntime.InferenceSession(tmp_path / "small.onnx", providers=["CPUExecutionProvider"])
    made = np.asarray(session.run(None, {"rows": values})[0])
    assert np.abs(made - values @ values).mean() / np.abs(values @ values).mean() < 0.05
