"""Voxtral against prompts and features that its processor in transformers made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.tiny_audiolm import edit_json
from helpers.voxtral_folder import TEKKEN, make_folder
from helpers.waveforms import chirp

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

PROMPTS: list[dict[str, Any]] = json.loads((TEKKEN.parent / "prompts.json").read_text("utf-8"))["prompts"]


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


@pytest.mark.parametrize("golden", PROMPTS, ids=[f"{golden['seconds']} s" for golden in PROMPTS])
def test_prompts_and_features_are_those_of_transformers(tmp_path: Path, golden: dict[str, Any]) -> None:
    model = opened(make_folder(tmp_path))
    sound = model.sound(chirp(golden["seconds"]))
    assert (sound.tokens, sound.heard_s) == (golden["sound"], golden["seconds"])
    prompt = model.prompt(golden["question"], None, sound.tokens)
    assert prompt.ids == [*golden["before"], *[24] * golden["sound"], *golden["after"]]
    assert prompt.ids[prompt.audio] == [24] * sound.tokens
    ours = [window[::20, 5::300].flatten() for window in sound.inputs["audio_values"]]
    assert np.abs(np.array(ours) - np.array(golden["features"])).max() < 1e-4  # they are rounded to 4 places


@pytest.mark.parametrize(
    ("seconds", "windows"),
    # a window of 30 s has 3000 frames, 1500 after the convolution, 375 in fours
    [(0.01, 1), (29.99, 1), (30, 1), (30.001, 2), (90, 3)],
)
def test_a_clip_fills_whole_windows(tmp_path: Path, seconds: float, windows: int) -> None:
    sound = opened(make_folder(tmp_path)).sound(chirp(seconds))
    assert sound.inputs["audio_values"].shape == (windows, 128, 3000)
    assert sound.tokens == 375 * windows


@pytest.mark.parametrize("mark", ["", "[BEGIN_AUDIO]"])
def test_a_template_of_the_folder_may_leave_the_start_of_the_sound_out(tmp_path: Path, mark: str) -> None:
    folder = make_folder(tmp_path)
    template = "{{ bos_token }}{% for m in messages %}[INST]{% for c in m.content %}{% if c.type == 'audio' %}"
    template += mark + "[AUDIO]{% else %}{{ c.text }}{% endif %}{% endfor %}[/INST]{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    golden = PROMPTS[0]
    expected = [*golden["before"], 24, 24, *golden["after"]]
    assert opened(folder).prompt(golden["question"], None, 2).ids == expected


@pytest.mark.parametrize(("named", "stop"), [(7, 7), (None, 2)])
def test_an_answer_ends_at_the_end_of_text_where_nothing_else_is_named(
    tmp_path: Path, named: int | None, stop: int
) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", text_config={"eos_token_id": named})
    assert opened(folder).text.eos_token_id == stop


def test_a_system_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Voxtral takes no system message beside a sound"):
        opened(make_folder(tmp_path)).prompt("Who?", "Be brief.", 375)


def test_what_does_not_fit_shows_both_sides(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    encoder = open_graph("audio_encoder", folder / "onnx" / "audio_encoder.onnx", [(CPU, {})])
    with pytest.raises(InputError, match="feature_attention_mask; the encoder of Voxtral has input_features or audio"):
        opened(folder).check_encoder(encoder)
    edit_json(folder / "config.json", audio_token_id=25)
    with pytest.raises(InputError, match=r"\[AUDIO\] has the id 24 in tokenizer\.json and 25 in config\.json"):
        opened(folder)
    edit_json(folder / "config.json", audio_token_id=24)
    edit_json(folder / "preprocessor_config.json", chunk_length=10)
    with pytest.raises(InputError, match=r"makes 1000 frames \(chunk_length\), config\.json wants 3000"):
        opened(folder)
