from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from helpers.tiny_audiolm import CASE

pytest.importorskip("onnx_ir", reason="the export extra is not installed")

from airbench_edge.export.precision import merge_loose_weights, save_graph, to_compact, to_float16, to_int4, to_int8

EMBED = CASE / "onnx" / "embed_tokens.onnx"
DECODER = CASE / "onnx" / "decoder_model_merged.onnx"
IDS = {"input_ids": np.array([[1, 7, 300]])}


def embeddings(path: Path) -> np.ndarray:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, IDS)[0])


def float_table(folder: Path, values: np.ndarray) -> Path:
    """A graph that looks rows up in a float32 table."""
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["inputs_embeds"])],
        "table",
        [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [1, None])],
        [helper.make_tensor_value_info("inputs_embeds", onnx.TensorProto.FLOAT, [1, None, values.shape[1]])],
        [onnx.numpy_helper.from_array(values.astype(np.float32), "table")],
    )
    path = folder / "table.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), path)
    return path


def test_compact_halves_the_file_and_changes_no_number(tmp_path: Path) -> None:
    exact = np.random.default_rng(0).normal(size=(400, 32)).astype(np.float16)
    path = float_table(tmp_path, exact)
    to_compact(path, tmp_path / "compact.onnx")
    assert np.array_equal(embeddings(path), embeddings(tmp_path / "compact.onnx"))
    # 400 x 32 values of 4 and of 2 bytes.
    assert path.stat().st_size - (tmp_path / "compact.onnx").stat().st_size == pytest.approx(25600, abs=200)


@pytest.mark.parametrize("value", [0.1, 1e6, 1e-9, np.nan])
def test_weights_that_float16_cannot_hold_stay(tmp_path: Path, value: float) -> None:
    values = np.ones((400, 32))
    values[7, 3] = value
    path = float_table(tmp_path, values)
    to_compact(path, tmp_path / "compact.onnx")
    assert np.array_equal(embeddings(path), embeddings(tmp_path / "compact.onnx"), equal_nan=True)
    assert onnx.load(tmp_path / "compact.onnx").graph.initializer[0].data_type == onnx.TensorProto.FLOAT


def test_weights_beyond_the_limit_stand_beside_the_graph(tmp_path: Path) -> None:
    path = tmp_path / "embed_tokens.onnx"
    save_graph(onnx.load(EMBED), path, inline_limit=1000)
    assert {file.name for file in tmp_path.iterdir()} == {"embed_tokens.onnx", "embed_tokens.onnx_data"}
    assert np.array_equal(embeddings(path), embeddings(EMBED))


def test_loose_weights_become_one_file(tmp_path: Path) -> None:
    path = tmp_path / "decoder_model_merged.onnx"
    onnx.save(onnx.load(DECODER), path, save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    assert len(list(tmp_path.iterdir())) > 10
    merge_loose_weights(path)
    assert {file.name for file in tmp_path.iterdir()} == {path.name, path.name + "_data"}
    onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(
    ("conversion", "operator"), [(to_int8, "MatMulInteger"), (to_int4, "MatMulNBits"), (to_float16, "MatMul")]
)
def test_the_products_of_the_decoder_are_converted(tmp_path: Path, conversion: object, operator: str) -> None:
    source = tmp_path / "source.onnx"
    values = np.random.default_rng(1).normal(size=(64, 64))
    path = float_table(tmp_path, values)
    model = onnx.load(path)
    model.graph.node[0].output[0] = "row"
    model.graph.node.append(onnx.helper.make_node("MatMul", ["row", "table"], ["inputs_embeds"]))
    onnx.save(model, source)
    assert callable(conversion)
    conversion(source, tmp_path / "small.onnx")
    assert operator in {node.op_type for node in onnx.load(tmp_path / "small.onnx").graph.node}
    few = {"input_ids": np.array([[1, 7, 30]])}
    session = onnxruntime.InferenceSession(tmp_path / "small.onnx", providers=["CPUExecutionProvider"])
    wanted = values[[1, 7, 30]] @ values
    made = np.asarray(session.run(None, few)[0], np.float32)[0]
    # int4 has 15 steps from -max to max: an error of about a tenth of the spread of a value, averaged over 64 products.
    assert (
        np.abs(made - wanted).mean() / np.abs(wanted).mean()
        < {"MatMul": 0.01, "MatMulInteger": 0.05, "MatMulNBits": 0.2}[operator]
    )
