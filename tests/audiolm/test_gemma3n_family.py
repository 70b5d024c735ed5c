from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph, Port
from airbench_edge.errors import InputError

CASE = Path(__file__).parents[1] / "cases" / "gemma3n"
GOLDEN: dict[str, Any] = json.loads((CASE / "golden.json").read_text(encoding="utf-8"))
AUDIO = 329


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(CASE, tmp_path / "model"))
    (folder / "onnx").mkdir()
    for name in ("audio_encoder", "embed_tokens", "decoder_model_merged"):
        (folder / "onnx" / f"{name}.onnx").write_bytes(b"opened by no family")
    return folder


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


def test_the_prompt_is_that_of_transformers(model: Path) -> None:
    prompt = opened(model).prompt(GOLDEN["question"], None, 188)
    assert prompt.ids == GOLDEN["prompt_ids"]
    assert prompt.ids[prompt.audio] == [AUDIO] * 188
    assert prompt.ids.count(AUDIO) == 188


def test_a_system_message_goes_where_the_template_puts_it(model: Path) -> None:
    prompt = opened(model).prompt("Who?", "Be brief.", 188)
    said = ModelFolder(model).tokenizer().decode(prompt.ids, skip_special_tokens=True)
    assert said == "user\nBe brief.\n\n\n\n\n\nWho?\nmodel\n"


@pytest.mark.parametrize("seconds", ["0.05", "0.31"])
def test_sound(model: Path, seconds: str) -> None:
    sound = opened(model).sound(chirp(float(seconds), 300))
    assert sound.tokens == 188
    assert sound.heard_s == pytest.approx(float(seconds))
    assert sound.inputs["input_features"].shape == (1, GOLDEN["frames"][seconds], 128)
    assert sound.inputs["input_features_mask"].tolist() == [[True] * GOLDEN["frames"][seconds]]


def test_what_a_clip_has_beyond_30_seconds_is_not_heard(model: Path) -> None:
    long = opened(model).sound(chirp(31.0))
    assert (long.tokens, long.heard_s) == (188, 30.0)
    full = opened(model).sound(chirp(31.0)[:480000])
    assert all(np.array_equal(long.inputs[name], full.inputs[name]) for name in long.inputs)


def test_a_template_must_be_there_and_place_the_sound(model: Path) -> None:
    (model / "chat_template.jinja").write_text("{{ bos_token }}")
    with pytest.raises(InputError, match="writes <audio_soft_token> 0 times instead of once"):
        opened(model)
    (model / "chat_template.jinja").unlink()
    with pytest.raises(InputError, match=r"has no chat template: copy chat_template\.jinja"):
        opened(model)


def test_the_id_of_the_placeholder_shows_both_sides(model: Path) -> None:
    edit_json(model / "config.json", audio_token_id=262273)
    with pytest.raises(InputError, match=r"the id 329 in tokenizer\.json and 262273 in config\.json"):
        opened(model)


def test_another_front_end_is_refused(model: Path) -> None:
    edit_json(model / "preprocessor_config.json", hop_length=80)
    with pytest.raises(InputError, match="hop_length is 80, and only 160 is built here"):
        opened(model)


def encoder(bins: int = 128, made: int = 188, mask: str = "input_features_mask") -> Graph:
    inputs = {
        "input_features": Port("input_features", np.dtype(np.float32), (None, None, bins)),
        mask: Port(mask, np.dtype(np.bool_), (None, None)),
    }
    outputs = {"audio_features": Port("audio_features", np.dtype(np.float32), (None, made, 32))}
    return Graph("audio_encoder", Path("audio_encoder.onnx"), None, inputs, outputs, "cpu")


def test_encoders(model: Path) -> None:
    family = opened(model)
    family.check_encoder(encoder())
    with pytest.raises(InputError, match=r"has the inputs input_features, attention_mask; an encoder of Gemma 3n has"):
        family.check_encoder(encoder(mask="attention_mask"))
    with pytest.raises(InputError, match="takes 80 mel bins, Gemma 3n has 128"):
        family.check_encoder(encoder(bins=80))
    with pytest.raises(InputError, match=r"makes 100 features, config\.json says 188"):
        family.check_encoder(encoder(made=100))
