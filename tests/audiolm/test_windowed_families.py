"""Audio Flamingo 3 and GLM-ASR against prompts and features that their processors in transformers 5 made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp
from helpers.windowed_folders import FAMILIES, make_folder

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.families.glmasr import GlmAsr
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "windowed_prompts.json").read_text("utf-8"))
ANSWERS = [(family, answer) for family in FAMILIES for answer in GOLDEN[family]]
each_answer = pytest.mark.parametrize(
    ("family", "answer"), ANSWERS, ids=[f"{family} {answer['seconds']} s" for family, answer in ANSWERS]
)


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


@each_answer
def test_prompts_and_features_are_those_of_transformers(tmp_path: Path, family: str, answer: dict[str, Any]) -> None:
    model = opened(make_folder(family, tmp_path))
    sound = model.sound(chirp(answer["seconds"]))
    prompt = model.prompt(GOLDEN["question"], answer["system"], sound.tokens)
    assert prompt.ids == answer["prompt_ids"]
    assert prompt.ids[prompt.audio] == [3] * sound.tokens
    assert sound.inputs["input_features_mask"].sum(-1).tolist() == answer["frames"]
    ours = [window[::20, 5::30].flatten() for window in sound.inputs["input_features"]]
    assert np.abs(np.array(ours) - np.array(answer["features"])).max() < 1e-4  # they are rounded to 4 places


@each_answer
def test_the_template_of_the_program_says_the_same(tmp_path: Path, family: str, answer: dict[str, Any]) -> None:
    folder = make_folder(family, tmp_path)
    (folder / "chat_template.jinja").unlink()
    model = opened(folder)
    tokens = model.sound(chirp(answer["seconds"])).tokens
    assert model.prompt(GOLDEN["question"], answer["system"], tokens).ids == answer["prompt_ids"]


@pytest.mark.parametrize(
    ("frames", "tokens"),
    # frames -> after the convolution (n-1)//2+1 -> in fours (m-4)//4+1; a full window of 3000 has 375
    [(1, 0), (6, 0), (7, 1), (14, 1), (15, 2), (100, 12), (3000, 375), (3007, 376), (60000, 7500)],
)
def test_tokens_of_glmasr(frames: int, tokens: int) -> None:
    assert GlmAsr.tokens(frames) == tokens


@pytest.mark.parametrize(("family", "a_window"), [("audioflamingo3", 25), ("glmasr", 12)])
def test_what_a_clip_has_beyond_the_last_window_is_not_heard(tmp_path: Path, family: str, a_window: int) -> None:
    model = opened(make_folder(family, tmp_path))
    # A window of 1 s has 100 frames, 50 after the convolution: 25 in pairs; 150 of three windows make 37 in fours.
    three = {25: 75, 12: 37}[a_window]
    assert (model.sound(chirp(1.0)).tokens, model.sound(chirp(3.0)).tokens) == (a_window, three)
    sound = model.sound(chirp(4.2))
    assert (sound.tokens, sound.heard_s, sound.inputs["input_features"].shape) == (three, 3.0, (3, 80, 100))
    assert model.sound(chirp(0.01)).heard_s == 0.0


@pytest.mark.parametrize(("family", "seconds"), [("audioflamingo3", 600), ("glmasr", 655)])
def test_the_published_limit_holds_where_the_folder_names_none(tmp_path: Path, family: str, seconds: int) -> None:
    folder = make_folder(family, tmp_path)
    edit_json(folder / "processor_config.json", max_audio_len=None)
    assert opened(folder).sound(np.zeros(16000 * (seconds + 2), np.float32)).heard_s == seconds


@pytest.mark.parametrize("limit", ["long", 0.5, [30]])
def test_a_limit_below_a_window_is_refused(tmp_path: Path, limit: object) -> None:
    folder = make_folder("glmasr", tmp_path)
    edit_json(folder / "processor_config.json", max_audio_len=limit)
    with pytest.raises(InputError, match=r"processor_config\.json: max_audio_len must be a number of seconds"):
        opened(folder)


@pytest.mark.parametrize(("family", "token"), [("audioflamingo3", "<sound>"), ("glmasr", r"<\|pad\|>")])
def test_placeholders_show_both_sides(tmp_path: Path, family: str, token: str) -> None:
    folder = make_folder(family, tmp_path)
    edit_json(folder / "config.json", audio_token_id=59260)
    with pytest.raises(InputError, match=rf"{token} has the id 3 in tokenizer\.json and 59260 in config\.json"):
        opened(folder)
    (folder / "chat_template.jinja").write_text("{{ messages[-1].content[1].text }}")
    edit_json(folder / "config.json", audio_token_id=3)
    with pytest.raises(InputError, match=rf"writes {token} 0 times instead of once"):
        opened(folder)


@pytest.mark.parametrize("family", FAMILIES)
def test_encoders_of_other_models_are_refused(tmp_path: Path, family: str) -> None:
    folder = make_folder(family, tmp_path)
    path = folder / "onnx" / "audio_encoder.onnx"
    with pytest.raises(InputError, match="has the inputs input_features, feature_attention_mask; the encoder of"):
        opened(folder).check_encoder(open_graph("audio_encoder", path, [(CPU, {})]))
    rename_input(path, "feature_attention_mask", "input_features_mask")
    encoder = open_graph("audio_encoder", path, [(CPU, {})])
    opened(folder).check_encoder(encoder)
    settings = json.loads((folder / "processor_config.json").read_text())["feature_extractor"]
    edit_json(folder / "processor_config.json", feature_extractor=settings | {"feature_size": 128})
    with pytest.raises(InputError, match=r"makes 128 mel bins \(feature_size\), config\.json wants 80"):
        opened(folder)
    edit_json(folder / "config.json", audio_config=None)
    with pytest.raises(InputError, match=r"takes 80 mel bins, preprocessor_config\.json makes 128"):
        opened(folder).check_encoder(encoder)


def rename_input(path: Path, old: str, new: str) -> None:
    model = onnx.load(path)
    for port in model.graph.input:
        port.name = new if port.name == old else port.name
    for node in model.graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
    onnx.save(model, path)
