from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.tiny_audiolm import edit_json
from helpers.tiny_whisper import CASE, GOLDEN, copy_whisper
from helpers.waveforms import chirp

from airbench_edge.audiolm.whisper.folder import Tokens
from airbench_edge.audiolm.whisper.model import Whisper, complete_pieces
from airbench_edge.errors import InputError

# Text tokens below 90; a timestamp of n steps of 20 ms is 100 + n.
TOKENS = Tokens(eos_token_id=90, decoder_start_token_id=91, no_timestamps_token_id=99)


@cache
def tiny() -> Whisper:
    return Whisper(CASE, "cpu")


@pytest.mark.parametrize("clip", GOLDEN, ids=lambda clip: f"{clip['seconds']} s")
def test_a_window_is_written_as_transformers_writes_it(clip: dict[str, Any]) -> None:
    windows = tiny().windows(chirp(clip["seconds"], clip["start_hz"]))
    assert windows[0].decoded.tokens[: len(clip["tokens"])] == clip["tokens"]
    assert len(set(clip["tokens"])) > 8


def test_windows_follow_each_other_without_gap_or_overlap() -> None:
    windows = tiny().windows(chirp(2.6, 250))
    assert len(windows) > 2
    # 2.6 s are 260 frames of 10 ms: each window starts where the last complete piece of the one before ended.
    assert sum(window.frames for window in windows) == 260
    for window in windows[:-1]:
        last_end = max(token for token in window.decoded.tokens if token in range(267, 318))
        assert window.frames in (100, *(2 * step for step in range(1, last_end - 267 + 1)))


def test_the_language_is_that_of_the_first_window() -> None:
    for clip in GOLDEN:
        said = tiny().transcribe(chirp(clip["seconds"], clip["start_hz"]))
        opening = tiny().windows(chirp(clip["seconds"], clip["start_hz"]))[0].opening
        assert said.language in ("en", "de", "yue")
        assert said.probability == opening.probability
        # Three languages: the likeliest has at least a third.
        assert 1 / 3 < opening.probability <= 1


def test_the_same_clip_gives_the_same_transcript() -> None:
    assert tiny().transcribe(chirp(1.7, 300)) == tiny().transcribe(chirp(1.7, 300))


def test_a_clip_of_one_sample_is_one_window() -> None:
    assert [window.frames for window in tiny().windows(np.ones(1, np.float32))] == [1]


def test_a_model_of_english_only_has_no_language_to_guess(tmp_path: Path) -> None:
    folder = copy_whisper(tmp_path)
    edit_json(folder / "generation_config.json", is_multilingual=False, lang_to_id=None, task_to_id=None)
    said = Whisper(folder, "cpu").transcribe(chirp(0.5))
    assert (said.language, said.probability) == ("en", None)
    assert said.text != tiny().transcribe(chirp(0.5)).text  # the prompt is shorter by language and task


@pytest.mark.parametrize(
    ("made", "kept", "steps"),
    [
        ([100, 1, 2, 110], [100, 1, 2, 110], None),  # one piece, then nothing more is said
        ([100, 1, 110, 110, 2, 120], [100, 1, 110, 110, 2, 120], None),  # two pieces, the last with its end
        ([100, 1, 110, 110, 2, 3], [100, 1, 110], 10),  # the second piece has no end: heard again from step 10
        ([100, 1, 110, 115, 2, 120, 125], [100, 1, 110, 115, 2, 120], 20),  # a third piece begins: from where 2 ended
        ([100, 1, 2], [100, 1, 2], None),  # no end at all: the whole window counts
        ([], [], None),
    ],
)
def test_text_without_an_end_is_left_to_the_next_window(made: list[int], kept: list[int], steps: int | None) -> None:
    assert complete_pieces(made, TOKENS) == (kept, steps)


@pytest.mark.parametrize("name", ["decoder.onnx", "tokenizer.json", "generation_config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = copy_whisper(tmp_path)
    (folder / name).unlink()
    with pytest.raises(InputError, match=rf"{name} is missing: make the Whisper export anew"):
        Whisper(folder, "cpu")


def test_broken_configurations_are_named(tmp_path: Path) -> None:
    folder = copy_whisper(tmp_path)
    edit_json(folder / "generation_config.json", task_to_id={"translate": 1})
    with pytest.raises(InputError, match="names no languages or no task transcribe"):
        Whisper(folder, "cpu")
    (folder / "generation_config.json").write_text('{"eos_token_id": 1}')
    with pytest.raises(InputError, match=r"generation_config\.json cannot be used .*decoder_start_token_id"):
        Whisper(folder, "cpu")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "generation_config.json").write_bytes((CASE / "generation_config.json").read_bytes())
    with pytest.raises(InputError, match=r"tokenizer\.json cannot be read"):
        Whisper(folder, "cpu")


def test_graphs_of_two_exports_are_noticed(tmp_path: Path) -> None:
    folder = copy_whisper(tmp_path)
    (folder / "decoder.onnx").write_bytes((CASE / "encoder.onnx").read_bytes())
    with pytest.raises(InputError, match=r"encoder\.onnx and decoder\.onnx do not fit each other"):
        Whisper(folder, "cpu")


def test_it_says_what_each_graph_runs_on_and_what_files_it_uses() -> None:
    assert tiny().providers == dict.fromkeys(("whisper_encoder", "whisper_decoder"), "CPUExecutionProvider")
    assert {file.name for file in tiny().folder.files()} == {file.name for file in CASE.iterdir()}
    assert tiny().sample_rate == 16000
