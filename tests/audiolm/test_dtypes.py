from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.audiolm.onnx.dtypes import GRAPHS, choose_dtypes
from airbench_edge.errors import InputError

HERE = (
    "audio_encoder.onnx",
    "embed_tokens_fp16.onnx",
    "decoder_model_merged_q4.onnx",
    "decoder_model_merged_quantized.onnx",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in HERE:
        (tmp_path / name).touch()
    return tmp_path


def test_the_most_faithful_of_each_graph_is_taken(folder: Path) -> None:
    # q8 (suffix _quantized) stands before q4 in the order of preference.
    assert choose_dtypes(folder, None) == dict(zip(GRAPHS, ("fp32", "fp16", "q8"), strict=True))


def test_one_graph_may_be_asked_for(folder: Path) -> None:
    assert choose_dtypes(folder, "decoder_model_merged=q4")["decoder_model_merged"] == "q4"
    assert choose_dtypes(folder, "decoder_model_merged = q4, embed_tokens = fp16")["audio_encoder"] == "fp32"


@pytest.mark.parametrize("wanted", ["q4", "audio_encoder=q4", "embed_tokens=fp32"])
def test_what_is_not_there_is_never_replaced(folder: Path, wanted: str) -> None:
    with pytest.raises(InputError, match=r"is missing; .+ is there as "):
        choose_dtypes(folder, wanted)


@pytest.mark.parametrize("wanted", ["int3", "decoder=q4", "decoder_model_merged=", "=q4"])
def test_unknown_words_name_the_known_ones(folder: Path, wanted: str) -> None:
    with pytest.raises(InputError, match=r"fp32, fp16, int8.*audio_encoder, embed_tokens"):
        choose_dtypes(folder, wanted)


def test_a_graph_that_is_nowhere(folder: Path) -> None:
    (folder / "audio_encoder.onnx").unlink()
    with pytest.raises(InputError, match=r"audio_encoder\.onnx is missing"):
        choose_dtypes(folder, None)
