from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.audiolm.onnx.dtypes import GRAPHS, choose_dtypes, graph_file
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


def test_int4_is_what_the_export_makes_of_it(folder: Path) -> None:
    assert choose_dtypes(folder, "int4") == dict(zip(GRAPHS, ("fp32", "fp16", "q4"), strict=True))


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


def test_suffixes_are_those_of_transformers_js(tmp_path: Path) -> None:
    # DEFAULT_DTYPE_SUFFIX_MAPPING of transformers.js; here the most faithful come first.
    theirs = ["", "_fp16", "_int8", "_quantized", "_uint8", "_q4", "_q4f16", "_bnb4", "_q2", "_q2f16", "_q1", "_q1f16"]
    files = [[tmp_path / f"{graph}{suffix}.onnx" for graph in GRAPHS] for suffix in theirs]
    for same in files:
        for file in same:
            file.touch()
    chosen = []
    for same in files:
        dtypes = choose_dtypes(tmp_path, None)
        assert [graph_file(tmp_path, graph, dtype) for graph, dtype in dtypes.items()] == same
        chosen.append(dtypes["audio_encoder"])
        for file in same:
            file.unlink()
    assert chosen == ["fp32", "fp16", "int8", "q8", "uint8", "q4", "q4f16", "bnb4", "q2", "q2f16", "q1", "q1f16"]
