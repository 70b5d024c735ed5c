"""Phi-4-multimodal against prompts and features that its processor in transformers made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.phi4_multimodal_folder import make_folder
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import Graph, open_graph
from airbench_edge.errors import InputError

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "cases" / "phi4_multimodal_prompts.json").read_text("utf-8")
)


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


def encoder(path: Path, bins: int, frames: str | int, name: str = "input_features") -> Graph:
    """A graph with the input of an encoder, which does nothing with it."""
    given = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, frames, bins])
    made = onnx.helper.make_tensor_value_info("audio_features", onnx.TensorProto.FLOAT, None)
    node = onnx.helper.make_node("Identity", [name], ["audio_features"])
    graph = onnx.helper.make_graph([node], "encoder", [given], [made])
    opset = onnx.helper.make_opsetid("", 18)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=9), path)
    return open_graph("audio_encoder", path, [(CPU, {})])


@pytest.mark.parametrize("answer", GOLDEN["answers"], ids=lambda answer: f"{answer['samples']} samples")
def test_prompts_and_features_are_those_of_transformers(tmp_path: Path, answer: dict[str, Any]) -> None:
    family = opened(make_folder(tmp_path))
    sound = family.sound(chirp(answer["samples"] / 16_000))
    assert (sound.tokens, sound.heard_s) == (answer["tokens"], answer["samples"] / 16_000)
    prompt = family.prompt(GOLDEN["question"], None, sound.tokens)
    assert prompt.ids == answer["prompt_ids"]
    assert prompt.ids[prompt.audio] == [3] * sound.tokens
    features = sound.inputs["input_features"]
    assert features.shape == (1, *answer["shape"])
    assert np.abs(features[0, ::30, ::20] - np.array(answer["features"])).max() < 1e-4  # they are rounded to 4 places


@pytest.mark.parametrize(
    ("samples", "tokens"),
    # samples -> frames (n-400)//160+1 -> in eights, rounded up: 12.5 tokens a second
    [(1, 1), (400, 1), (1519, 1), (1520, 1), (1679, 1), (1680, 2), (16_000, 13), (640_240, 500), (640_400, 501)],
)
def test_audio_tokens(tmp_path: Path, samples: int, tokens: int) -> None:
    assert opened(make_folder(tmp_path)).sound(np.zeros(samples, np.float32)).tokens == tokens


def test_the_form_with_its_own_code_reads_alike(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    wanted = opened(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        text = (folder / name).read_text(encoding="utf-8").replace("<|audio|>", "<|endoftext11|>")
        (folder / name).write_text(text, encoding="utf-8")
    edit_json(folder / "config.json", model_type="phi4mm", audio_config=None)
    edit_json(folder / "preprocessor_config.json", feature_extractor_type="Phi4MMAudioFeatureExtractor", dynamic_hd=36)
    family = opened(folder)
    assert family.prompt("?", "Be brief.", 5) == wanted.prompt("?", "Be brief.", 5)
    assert family.text == wanted.text
    assert (family.text.num_hidden_layers, family.sample_rate) == (2, 16_000)


def test_a_clip_that_does_not_fit_is_named(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", original_max_position_embeddings=64)
    family = opened(folder)
    around = len(family.prompt("?", None, 0).ids)
    assert len(family.prompt("?", None, 64 - around).ids) == 64
    with pytest.raises(ModelError, match="take 65 positions, and an exported Phi-4-multimodal has 64: cut the clip"):
        family.prompt("?", None, 65 - around)


def test_what_differs_from_the_published_front_end_is_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "preprocessor_config.json", n_fft=400)
    with pytest.raises(InputError, match="n_fft is 400, and only 512 is built here"):
        opened(folder)


def test_the_id_of_the_placeholder_shows_both_sides(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", audio_config={"audio_token_id": 200011})
    with pytest.raises(InputError, match=r"<\|audio\|> has the id 3 in tokenizer\.json and 200011 in config\.json"):
        opened(folder)


def test_templates_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "tokenizer_config.json", chat_template="{{ messages[0]['role'] }}")
    with pytest.raises(InputError, match=r"writes <\|audio\|> 0 times instead of once"):
        opened(folder)
    edit_json(folder / "tokenizer_config.json", chat_template=None)
    with pytest.raises(InputError, match=r"has no chat template: copy chat_template\.jinja"):
        opened(folder)


def test_encoders_show_both_sides(tmp_path: Path) -> None:
    family = opened(make_folder(tmp_path))
    family.check_encoder(encoder(tmp_path / "right.onnx", 80, "frames"))
    with pytest.raises(InputError, match=r"takes any number of frames of 128 mel bins, .* any number of frames of 80"):
        family.check_encoder(encoder(tmp_path / "wide.onnx", 128, "frames"))
    with pytest.raises(InputError, match="takes 3000 frames of 80 mel bins"):
        family.check_encoder(encoder(tmp_path / "fixed.onnx", 80, 3000))
    with pytest.raises(
        InputError, match="has the inputs audio_embeds; an encoder of Phi-4-multimodal has input_features"
    ):
        family.check_encoder(encoder(tmp_path / "other.onnx", 80, "frames", "audio_embeds"))
