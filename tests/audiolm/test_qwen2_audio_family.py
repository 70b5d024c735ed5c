from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.tiny_audiolm import CASE, GOLDEN, copy_model, edit_json, replace_bytes
from helpers.waveforms import chirp

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.families.qwen2_audio import Qwen2Audio
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError


def opened(path: Path = CASE) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


@pytest.mark.parametrize(
    ("frames", "tokens"),
    # frames -> after the convolution (n-1)//2+1 -> pooled (m-2)//2+1
    [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (7, 2), (100, 25), (101, 25), (399, 100), (3000, 750)],
)
def test_audio_tokens(frames: int, tokens: int) -> None:
    assert Qwen2Audio.tokens(frames) == tokens


@pytest.mark.parametrize("answer", GOLDEN["plain"], ids=lambda answer: f"{answer['seconds']} s")
def test_prompts_are_those_of_transformers(answer: dict[str, object]) -> None:
    family = opened()
    sound = family.sound(chirp(float(str(answer["seconds"]))))
    system = answer["system"]
    prompt = family.prompt(GOLDEN["question"], None if system is None else str(system), sound.tokens)
    assert prompt.ids == answer["prompt_ids"]
    assert prompt.ids[prompt.audio] == [3] * sound.tokens


def test_what_a_clip_has_beyond_the_window_is_not_heard() -> None:
    # The window is 50 encoder positions of 20 ms = 1 s: 100 frames, 25 tokens.
    family = opened()
    long, full = family.sound(chirp(2.5)), family.sound(chirp(2.5)[:16000])
    assert (long.tokens, long.heard_s) == (25, 1.0)
    assert all(np.array_equal(long.inputs[name], full.inputs[name]) for name in long.inputs)
    assert long.inputs["feature_attention_mask"].sum() == 100


def test_a_clip_too_short_for_a_token_is_not_heard() -> None:
    sound = opened().sound(chirp(0.01))
    assert (sound.tokens, sound.heard_s) == (0, 0.0)


def test_a_question_may_hold_the_placeholder() -> None:
    prompt = opened().prompt("Say <|AUDIO|>.", None, 4)
    assert prompt.ids[prompt.audio] == [3] * 4
    assert prompt.ids.count(3) == 5


def test_the_template_of_the_folder_is_used(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    (model / "chat_template.jinja").write_text("<|AUDIO|>{{ messages[-1].content[1].text }}")
    assert opened(model).prompt("dog", None, 2).ids[:2] == [3, 3]
    (model / "chat_template.jinja").write_text("{{ messages[-1].content[1].text }}")
    with pytest.raises(InputError, match=r"writes <\|AUDIO\|> 0 times instead of once"):
        opened(model)


def test_special_tokens_may_be_objects(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "tokenizer_config.json", eos_token={"content": "<|im_end|>"})
    (model / "chat_template.jinja").write_text(
        "<|AUDIO|>{{ eos_token }}{{ pad_token }}{{ messages[0].content[1].text }}"
    )
    assert opened(model).prompt("", None, 1).ids == [3, 2, 0]


def test_an_unknown_family_lists_the_known_ones(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "config.json", model_type="none")
    with pytest.raises(InputError, match=r"model_type 'none'; the families that can be run are .*qwen2_audio"):
        opened(model)


def test_the_id_of_the_placeholder_shows_both_sides(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "config.json", audio_token_index=151646)
    with pytest.raises(InputError, match=r"the id 3 in tokenizer\.json and 151646 in config\.json"):
        opened(model)


def test_the_window_shows_both_sides(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "preprocessor_config.json", chunk_length=30)
    with pytest.raises(InputError, match=r"makes 3000 frames \(chunk_length\), config\.json wants 100"):
        opened(model)


def test_mel_bins_show_both_sides(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "preprocessor_config.json", feature_size=128)
    with pytest.raises(InputError, match=r"makes 128 mel bins \(feature_size\), config\.json wants 80 \(num_mel"):
        opened(model)
    edit_json(model / "config.json", audio_config=None)
    encoder = open_graph("audio_encoder", model / "onnx" / "audio_encoder.onnx", [(CPU, {})])
    with pytest.raises(InputError, match=r"takes 80 mel bins, preprocessor_config\.json makes 128"):
        opened(model).check_encoder(encoder)


def test_a_wrong_input_name_shows_both_lists(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    path = model / "onnx" / "audio_encoder.onnx"
    replace_bytes(path, b"input_features", b"input_fixtures")
    encoder = open_graph("audio_encoder", path, [(CPU, {})])
    with pytest.raises(InputError, match=r"has the inputs input_fixtures, .* has input_features or audio_values"):
        opened(model).check_encoder(encoder)


def test_configurations_that_omit_defaults_are_enough(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    minimal = {"model_type": "qwen2_audio", "audio_token_id": 3}
    (model / "config.json").write_text(json.dumps(minimal))
    assert opened(model).sample_rate == 16000


def test_a_placeholder_that_is_cut_into_pieces_is_refused(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "tokenizer.json", added_tokens=[])
    with pytest.raises(InputError, match=r"tokenizer\.json has <\|AUDIO\|> in its vocabulary but cuts"):
        opened(model)
