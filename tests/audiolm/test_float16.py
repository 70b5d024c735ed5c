from __future__ import annotations

import shutil
from pathlib import Path

import onnx
import pytest
from helpers.tiny_audiolm import copy_model
from onnxruntime.transformers.float16 import convert_float_to_float16

from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.audiolm.open import open_audiolm
from airbench_edge.errors import InputError

NANO = Path(__file__).parents[2] / "models" / "nano"


def halve(folder: Path, name: str, *, keep_io_types: bool = False) -> None:
    """Add a graph's float16 form."""
    graph = onnx.load(folder / "onnx" / f"{name}.onnx")
    half = convert_float_to_float16(graph, keep_io_types=keep_io_types, disable_shape_infer=True)
    onnx.save(half, folder / "onnx" / f"{name}_fp16.onnx")


@pytest.mark.parametrize("keep_io_types", [False, True], ids=["declared", "inside only"])
@pytest.mark.parametrize("name", ["audio_encoder", "decoder_model_merged"])
def test_a_float16_graph_is_refused_on_the_cpu(tmp_path: Path, name: str, keep_io_types: bool) -> None:
    folder = copy_model(tmp_path)
    halve(folder, name, keep_io_types=keep_io_types)
    with pytest.raises(InputError, match=rf"{name}_fp16\.onnx computes in float16.*--dtype fp32 or int4"):
        open_audiolm(str(folder), "cpu", f"{name}=fp16")


def test_a_float16_graph_under_a_plain_name_is_refused(tmp_path: Path) -> None:
    folder = copy_model(tmp_path)
    for name in ("embed_tokens", "decoder_model_merged"):
        halve(folder, name)
        shutil.move(folder / "onnx" / f"{name}_fp16.onnx", folder / "onnx" / f"{name}.onnx")
    with pytest.raises(InputError, match=r"decoder_model_merged\.onnx computes in float16"):
        open_audiolm(str(folder), "cpu")
    OnnxAudioLM(folder, "cpu", float16_on_cpu=True)


def test_float32_is_taken_where_both_are_there(tmp_path: Path) -> None:
    folder = copy_model(tmp_path)
    halve(folder, "decoder_model_merged")
    assert open_audiolm(str(folder), "cpu").identity.details["dtype.decoder_model_merged"] == "fp32"


def test_weights_stored_as_float16_that_compute_in_float32_run() -> None:
    stored = onnx.load(NANO / "onnx" / "decoder_model_merged.onnx").graph.initializer
    assert onnx.TensorProto.FLOAT16 in {tensor.data_type for tensor in stored}
    assert open_audiolm(str(NANO), "cpu").identity.details["dtype.decoder_model_merged"] == "fp32"


def test_a_table_of_float16_embeddings_is_no_computation(tmp_path: Path) -> None:
    folder = copy_model(tmp_path)
    halve(folder, "embed_tokens")
    open_audiolm(str(folder), "cpu", "embed_tokens=fp16")
