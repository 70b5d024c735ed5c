from __future__ import annotations

from pathlib import Path

import pytest
from helpers.tiny_audiolm import CASE, copy_model, edit_json

from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.decoding import Limits
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.limits import read_limits
from airbench_edge.errors import InputError

TEXT = TextConfig(eos_token_id=7)


def limits(folder: Path, **generation: object) -> Limits:
    model = copy_model(folder)
    edit_json(model / "generation_config.json", **{"eos_token_id": None, "repetition_penalty": None, **generation})
    return read_limits(ModelFolder(model), Config("qwen2_audio"), TEXT, vocabulary=320)


def test_the_generation_settings_come_first(tmp_path: Path) -> None:
    assert limits(tmp_path, eos_token_id=[3, 319], repetition_penalty=1.1) == Limits(frozenset({3, 319}), 1.1)
    assert limits(tmp_path / "silent") == Limits(frozenset({7}), 1.0)
    assert read_limits(ModelFolder(CASE), Config("qwen2_audio"), TextConfig(), 320).repetition_penalty == 1.0


@pytest.mark.parametrize("stop", [-1, 320, [3, 99999], 10**30], ids=str)
def test_stop_tokens_outside_the_vocabulary_are_refused(tmp_path: Path, stop: object) -> None:
    with pytest.raises(InputError, match=r"names the stop token -?\d+, and its vocabulary has the tokens 0 to 319"):
        limits(tmp_path, eos_token_id=stop)


def test_an_empty_list_of_stop_tokens_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names no stop token"):
        limits(tmp_path, eos_token_id=[])


@pytest.mark.parametrize("penalty", [0, -1, 1e308, 1e-320])
def test_penalties_that_cannot_be_meant_are_refused(tmp_path: Path, penalty: float) -> None:
    with pytest.raises(InputError, match=r"repetition_penalty must be between 0\.01 and 100, 1 for none, not "):
        limits(tmp_path, repetition_penalty=penalty)
