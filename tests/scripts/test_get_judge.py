from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

import get_judge
from known_bytes import KnownFile

DATA = bytes(range(256))
MADE = KnownFile(
    file="made.gguf",
    size=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    hub=None,
    packages=("made==1",),
    part_size=len(DATA),
    licence="CC0",
)


def test_the_command_prints_the_path_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(get_judge.JUDGES, "qwen", MADE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    given = tmp_path / "brought.gguf"
    given.write_bytes(DATA)
    assert get_judge.main(["qwen", "--from", str(given), "--to", str(tmp_path / "judges")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'judges' / 'made.gguf'}\n"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other cache"))
    assert get_judge.main(["qwen", "--from", "absent", "--to", str(tmp_path / "elsewhere")]) == 2
    assert capsys.readouterr().out == ""


def test_checkouts_share_the_bytes_and_the_card_says_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(get_judge.JUDGES, "qwen", MADE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    health = tmp_path / "cache" / "airbench-edge" / "health"
    health.mkdir(parents=True)
    details = {"sha256": MADE.sha256, "judge prompt": "edge, sha256 00", "reply": "two integers", "engine": "llama 1"}
    found = {"identity": {"details": details}, "integers": {"finding": "fail"}, "expected": None, "verdicts": 24}
    (health / "one.json").write_text(json.dumps({"card": found}), encoding="utf-8")
    (health / "broken.json").write_text("{", encoding="utf-8")
    given = tmp_path / "brought.gguf"
    given.write_bytes(DATA)
    assert get_judge.main(["qwen", "--from", str(given), "--to", str(tmp_path / "one")]) == 0
    given.unlink()
    for folder in ("two", "two"):  # from the cache, and again
        assert get_judge.main(["qwen", "--to", str(tmp_path / folder)]) == 0
    cached = tmp_path / "cache" / "airbench-edge" / "judges" / "made.gguf"
    assert all((tmp_path / folder / "made.gguf").samefile(cached) for folder in ("one", "two"))
    card = (tmp_path / "two" / "made.md").read_text(encoding="utf-8")
    assert "Licence: CC0" in card and MADE.sha256 in card and "256 bytes" in card
    assert "prompt edge, two integers, llama 1: by integers fail, by expected scores none (24 probe verdicts)" in card


def test_where_there_are_no_links_there_is_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(Path, "symlink_to", refuse)
    weights = tmp_path / "made.gguf"
    weights.write_bytes(DATA)
    placed = get_judge.place(weights, tmp_path / "to")
    assert placed.read_bytes() == DATA
    assert not placed.samefile(weights)


@pytest.mark.parametrize("weights", get_judge.JUDGES.values(), ids=get_judge.JUDGES)
def test_the_parts_of_a_known_judge_add_up(weights: KnownFile) -> None:
    last = weights.size - (len(weights.packages) - 1) * weights.part_size
    assert 0 < last <= weights.part_size
    assert len(weights.sha256) == 64
