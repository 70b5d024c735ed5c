from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from helpers.tiny_audiolm import CASE

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.audiolm.onnx.encoder import Encoder, check_ranks
from airbench_edge.audiolm.onnx.families.contract import Sound
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

GRAPH = CASE / "onnx" / "audio_encoder.onnx"


def opened(path: Path = GRAPH) -> Encoder:
    graph, embed = (open_graph(file.stem, file, [(CPU, {})]) for file in (path, CASE / "onnx" / "embed_tokens.onnx"))
    return Encoder(graph, embed)


def for_windows(folder: Path, count: int) -> Path:
    model = onnx.load(GRAPH)
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = count
    onnx.save(model, folder / GRAPH.name)
    return folder / GRAPH.name


def sound(windows: int, tokens: int) -> Sound:
    features = np.random.default_rng(4).normal(0, 1, (windows, 80, 100)).astype(np.float32)
    inputs: dict[str, npt.NDArray[Any]] = {
        "input_features": features,
        "feature_attention_mask": np.ones((windows, 100), np.int64),
    }
    return Sound(inputs, tokens, float(windows))


def test_a_graph_for_one_window_gets_one_after_another(tmp_path: Path) -> None:
    # 100 frames make 25 tokens; the third window is cut after 10.
    at_once, one_by_one = (encoder.features(sound(3, 60)) for encoder in (opened(), opened(for_windows(tmp_path, 1))))
    assert at_once.shape == one_by_one.shape == (60, 32)
    assert np.abs(at_once - one_by_one).max() < 1e-5
    assert np.abs(at_once[:25] - at_once[25:50]).max() > 0.1


def test_a_graph_for_another_number_of_windows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"audio_encoder\.onnx takes 4 windows of sound at a time, a clip has any"):
        opened(for_windows(tmp_path, 4))


def test_too_few_features_are_an_error_of_the_item() -> None:
    with pytest.raises(ModelError, match=r"made 25 features where the prompt has 26"):
        opened().features(sound(1, 26))


def test_features_that_are_no_numbers_are_an_error_of_the_item() -> None:
    silent = sound(1, 25)
    silent.inputs["input_features"][0, 3, 4] = np.nan
    with pytest.raises(ModelError, match="the encoder computes NaN or infinity as features: in float16"):
        opened().features(silent)


def test_sound_without_axes_is_refused(tmp_path: Path) -> None:
    check_ranks(open_graph("audio_encoder", GRAPH, [(CPU, {})]))
    model = onnx.load(GRAPH)
    model.graph.input[0].type.tensor_type.ClearField("shape")
    onnx.save(model, tmp_path / GRAPH.name)
    with pytest.raises(InputError, match=r"audio_encoder\.onnx declares input_features as \[\], .* has 3 axes there"):
        check_ranks(open_graph("audio_encoder", tmp_path / GRAPH.name, [(CPU, {})]))


def test_features_without_axes_are_refused(tmp_path: Path) -> None:
    model = onnx.load(GRAPH)
    model.graph.node.append(onnx.helper.make_node("ReduceSum", ["audio_features"], ["sum"], keepdims=0))
    model.graph.output[0].CopyFrom(onnx.helper.make_tensor_value_info("sum", onnx.TensorProto.FLOAT, []))
    onnx.save(model, tmp_path / GRAPH.name)
    with pytest.raises(InputError, match=r"declares sum as \[\], an encoder has 2 or 3 axes there"):
        check_ranks(open_graph("audio_encoder", tmp_path / GRAPH.name, [(CPU, {})]))


def test_an_encoder_without_output_is_refused(tmp_path: Path) -> None:
    model = onnx.load(GRAPH)
    del model.graph.output[:]
    onnx.save(model, tmp_path / GRAPH.name)
    with pytest.raises(InputError, match="has no output, an encoder has audio_features"):
        check_ranks(open_graph("audio_encoder", tmp_path / GRAPH.name, [(CPU, {})]))
