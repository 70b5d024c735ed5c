"""Qwen2.5-Omni against prompts and features that its processor in transformers made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.qwen2_5_omni_folder import WINDOW_S, make_folder
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import Graph, open_graph
from airbench_edge.errors import InputError

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "cases" / "qwen2_5_omni_prompts.json").read_text("utf-8")
)
each_answer = pytest.mark.parametrize("answer", GOLDEN["answers"], ids=lambda answer: f"{answer['seconds']} s")


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


def encoder(path: Path, bins: int, frames: int, lengths: str = "chunk_lengths") -> Graph:
    """A graph with the inputs of an encoder, which does nothing with them."""
    inputs = [
        onnx.helper.make_tensor_value_info("input_features", onnx.TensorProto.FLOAT, ["chunks", bins, frames]),
        onnx.helper.make_tensor_value_info(lengths, onnx.TensorProto.INT64, ["chunks"]),
    ]
    output = onnx.helper.make_tensor_value_info("audio_features", onnx.TensorProto.FLOAT, None)
    node = onnx.helper.make_node("Identity", ["input_features"], ["audio_features"])
    model = onnx.helper.make_model(
        onnx.helper.make_graph([node], "encoder", inputs, [output]),
        opset_imports=[onnx.helper.make_opsetid("", 18)],
        ir_version=9,
    )
    onnx.save(model, path)
    return open_graph("audio_encoder", path, [(CPU, {})])


@each_answer
def test_prompts_and_features_are_those_of_transformers(tmp_path: Path, answer: dict[str, Any]) -> None:
    family = opened(make_folder(tmp_path))
    sound = family.sound(chirp(answer["seconds"]))
    prompt = family.prompt(GOLDEN["question"], None, sound.tokens)
    assert prompt.ids == answer["prompt_ids"]
    assert prompt.ids[prompt.audio] == [3] * sound.tokens
    chunks, bins, frames = sound.inputs["input_features"].shape
    assert (bins, frames) == (80, 200)
    assert sound.inputs["chunk_lengths"].sum() == answer["frames"]
    assert sound.inputs["chunk_lengths"].tolist()[:-1] == [200] * (chunks - 1)
    whole = sound.inputs["input_features"].transpose(1, 0, 2).reshape(80, -1)
    ours = whole[::20, : answer["frames"] : 30]
    assert np.abs(ours - np.array(answer["features"])).max() < 1.5e-4  # they are rounded to 4 places
    assert not whole[:, answer["frames"] :].any()


@each_answer
def test_the_template_of_the_program_says_the_same(tmp_path: Path, answer: dict[str, Any]) -> None:
    folder = make_folder(tmp_path)
    (folder / "chat_template.json").unlink()
    family = opened(folder)
    tokens = family.sound(chirp(answer["seconds"])).tokens
    assert family.prompt(GOLDEN["question"], None, tokens).ids == answer["prompt_ids"]
    assert (
        family.prompt("?", "Be brief.", 2).ids == opened(make_folder(tmp_path / "with")).prompt("?", "Be brief.", 2).ids
    )


def test_what_a_clip_has_beyond_the_window_is_not_heard(tmp_path: Path) -> None:
    # 5 s are 500 frames: two chunks and a half, (500-1)//2+1 = 250 after the convolution, 125 tokens.
    sound = opened(make_folder(tmp_path)).sound(chirp(7.5))
    assert (sound.tokens, sound.heard_s) == (125, float(WINDOW_S))
    assert sound.inputs["chunk_lengths"].tolist() == [200, 200, 100]


def test_a_clip_too_short_for_a_token_is_not_heard(tmp_path: Path) -> None:
    sound = opened(make_folder(tmp_path)).sound(chirp(0.02))  # two frames, one after the convolution
    assert (sound.tokens, sound.heard_s) == (0, 0.0)


def test_an_answer_ends_where_the_tokenizer_says_unless_the_configuration_does(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    assert opened(folder).text.eos_token_id == [2, 0]  # <|im_end|>, <|endoftext|>
    thinker = json.loads((folder / "config.json").read_text())["thinker_config"]
    thinker["text_config"]["eos_token_id"] = 7
    edit_json(folder / "config.json", thinker_config=thinker)
    assert opened(folder).text.eos_token_id == 7
    edit_json(folder / "config.json", thinker_config={**thinker, "eos_token_id": [8, 9]})
    assert opened(folder).text.eos_token_id == [8, 9]


def test_the_thinker_alone_reads_the_same(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    whole = opened(folder)
    thinker = json.loads((folder / "config.json").read_text())["thinker_config"]
    (folder / "config.json").write_text(json.dumps({**thinker, "model_type": "qwen2_5_omni_thinker"}))
    alone = opened(folder)
    assert alone.text == whole.text
    assert alone.text.num_hidden_layers == 2
    assert alone.prompt("?", None, 3) == whole.prompt("?", None, 3)


def test_the_id_of_the_placeholder_shows_both_sides(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    thinker = json.loads((folder / "config.json").read_text())["thinker_config"]
    edit_json(folder / "config.json", thinker_config={**thinker, "audio_token_index": 151646})
    with pytest.raises(InputError, match=r"the id 3 in tokenizer\.json and 151646 in config\.json"):
        opened(folder)


def test_encoders_show_both_sides(tmp_path: Path) -> None:
    family = opened(make_folder(tmp_path))
    family.check_encoder(encoder(tmp_path / "right.onnx", 80, 200))
    with pytest.raises(InputError, match=r"takes chunks of 100 frames, config\.json wants 200 \(twice n_window\)"):
        family.check_encoder(encoder(tmp_path / "short.onnx", 80, 100))
    with pytest.raises(InputError, match=r"takes 128 mel bins, preprocessor_config\.json makes 80"):
        family.check_encoder(encoder(tmp_path / "wide.onnx", 128, 200))
    with pytest.raises(InputError, match=r"inputs input_features, feature_lens; the encoder of Qwen2\.5-Omni has"):
        family.check_encoder(encoder(tmp_path / "other.onnx", 80, 200, "feature_lens"))
