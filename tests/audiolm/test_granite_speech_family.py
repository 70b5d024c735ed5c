"""Granite Speech against prompts and features that its processor in transformers made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.granite_folder import make_folder, make_settings
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp
from onnx import TensorProto, helper

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import Graph, open_graph
from airbench_edge.errors import InputError

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "granite_speech.json").read_text("utf-8"))
PLAIN = "{% for m in messages %}<|start_of_role|>{{ m.role }}<|end_of_role|>{{ m.content }}{% endfor %}"


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


@pytest.mark.parametrize("golden", GOLDEN["prompts"], ids=[f"{golden['seconds']} s" for golden in GOLDEN["prompts"]])
def test_prompts_and_features_are_those_of_transformers(tmp_path: Path, golden: dict[str, Any]) -> None:
    model = opened(make_folder(tmp_path))
    sound = model.sound(chirp(golden["seconds"]))
    assert sound.tokens == golden["sound"]
    assert sound.heard_s == pytest.approx(golden["seconds"], abs=1e-4)
    prompt = model.prompt(GOLDEN["question"], golden["system"], sound.tokens)
    assert prompt.ids == [*golden["before"], *[0] * golden["sound"], *golden["after"]]
    assert prompt.audio == slice(len(golden["before"]), len(golden["before"]) + golden["sound"])
    features = sound.inputs["input_features"]
    assert features.shape == (1, golden["frames"], 160)
    few = features[0, :: max(1, golden["frames"] // 5), 3::20].flatten()
    assert np.abs(few - np.array(golden["features"])).max() < 2e-4  # they are rounded to 4 places


def test_a_template_that_asks_for_the_date_gets_that_of_the_examples(tmp_path: Path) -> None:
    golden = GOLDEN["prompts"][1]
    prompt = opened(make_folder(tmp_path)).prompt(GOLDEN["question"], None, 3)
    assert prompt.ids == [*golden["before"], 0, 0, 0, *golden["after"]]


def test_a_template_that_does_not_is_left_alone(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, PLAIN)
    ids = opened(folder).prompt("Who?", None, 3).ids
    written = "<|start_of_role|>user<|end_of_role|>"
    assert ids[: ids.index(0)] == ModelFolder(folder).tokenizer().encode(written).ids


@pytest.mark.parametrize(
    ("samples", "tokens"),
    # samples // 160 + 1 frames, half as many pairs, 3 queries for each 15 of them that are begun
    [(1, 3), (4640, 3), (4960, 6), (16000, 12), (480000, 300)],
)
def test_tokens(tmp_path: Path, samples: int, tokens: int) -> None:
    assert opened(make_folder(tmp_path)).sound(np.zeros(samples, np.float32)).tokens == tokens


def test_templates_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, "{{ messages[0].role }}")
    with pytest.raises(InputError, match=r"writes <\|audio\|> 0 times instead of once"):
        opened(folder)
    (folder / "chat_template.jinja").unlink()
    edit_json(folder / "tokenizer_config.json", chat_template=None)
    with pytest.raises(InputError, match="has no chat template"):
        opened(folder)


def test_what_does_not_fit_shows_both_sides(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", audio_token_index=49155)
    with pytest.raises(InputError, match=r"<\|audio\|> has the id 3 in tokenizer\.json and 49155 in config\.json"):
        opened(folder)
    edit_json(folder / "config.json", audio_token_index=3, downsample_rate=3)
    with pytest.raises(InputError, match=r"counts windows of 15 by 5, config\.json has 15 by 3"):
        opened(folder)
    edit_json(folder / "config.json", downsample_rate=5)
    settings = folder / "preprocessor_config.json"
    edit_json(settings, melspec_kwargs=make_settings()["melspec_kwargs"] | {"n_mels": 128})
    with pytest.raises(InputError, match=r"n_mels is 128, and only 80 is built here"):
        opened(folder)
    edit_json(settings, melspec_kwargs=None, sampling_rate=8000)
    with pytest.raises(InputError, match=r"sampling_rate is 8000, and only 16000 is built here"):
        opened(folder)


def test_encoders_of_other_models_are_refused(tmp_path: Path) -> None:
    model = opened(make_folder(tmp_path))
    model.check_encoder(encoder(tmp_path, "input_features", ["clips", "frames", 160]))
    with pytest.raises(InputError, match="has the inputs audio_values; the encoder of Granite Speech has input_feat"):
        model.check_encoder(encoder(tmp_path, "audio_values", ["clips", "frames", 160]))
    with pytest.raises(InputError, match="takes 3000 frames of width 160, Granite Speech makes any"):
        model.check_encoder(encoder(tmp_path, "input_features", ["clips", 3000, 160]))
    with pytest.raises(InputError, match="takes any number of frames of width 80"):
        model.check_encoder(encoder(tmp_path, "input_features", ["clips", "frames", 80]))


def encoder(folder: Path, name: str, shape: list[int | str]) -> Graph:
    """A graph that hands its input on."""
    value = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    result = helper.make_tensor_value_info("audio_features", TensorProto.FLOAT, shape)
    graph = helper.make_graph([helper.make_node("Identity", [name], ["audio_features"])], "g", [value], [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, folder / "encoder.onnx")
    return open_graph("audio_encoder", folder / "encoder.onnx", [(CPU, {})])
