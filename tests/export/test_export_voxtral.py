"""Voxtral: from a checkpoint as it is published, without a tokenizer.json, to an export that says the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")

from helpers.batch_of_four import batch_difference
from helpers.tiny_voxtral import make_checkpoint
from helpers.waveforms import chirp
from tokenizers import Tokenizer

from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

# Windows of 30 s: one, one just full, two by the skin of their teeth, two.
CLIPS = {f"{seconds} s": chirp(seconds, 200 + 10 * seconds) for seconds in (0.5, 1, 3, 10, 29.995, 30, 30.01, 35)}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("voxtral") / "checkpoint"
    make_checkpoint(folder)
    return folder


@pytest.fixture(scope="module")
def out(checkpoint: Path) -> Path:
    export_checkpoint(checkpoint, checkpoint.parent / "out")
    return checkpoint.parent / "out"


def test_float32_says_the_same_token_for_token(checkpoint: Path, out: Path) -> None:
    results = list(verify(checkpoint, out, CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(out: Path) -> None:
    assert batch_difference(out, CLIPS) < 1e-4


def test_the_tokenizer_is_made_of_tekken(out: Path) -> None:
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    assert tokenizer.get_vocab_size() == 386
    golden = json.loads((Path(__file__).parents[1] / "cases" / "voxtral" / "prompts.json").read_text("utf-8"))
    for text, ids in golden["texts"].items():
        assert tokenizer.encode(text).ids == ids


def test_a_tokenizer_that_is_there_is_kept(checkpoint: Path, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "checkpoint"
    make_checkpoint(other)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (other / name).write_bytes((out / name).read_bytes() + b"\n")
    (other / "tekken.json").unlink()
    export_checkpoint(other, tmp_path / "out")
    assert (tmp_path / "out" / "tokenizer.json").read_bytes() == (other / "tokenizer.json").read_bytes()
    clips = {"3 s": CLIPS["3 s"]}
    assert next(verify(other, tmp_path / "out", clips, new_tokens=4)).first_difference is None
