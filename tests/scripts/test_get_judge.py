from __future__ import annotations

import hashlib
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
    packages=(),
    part_size=len(DATA),
    licence="CC0",
)


def test_the_command_prints_the_path_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(get_judge.JUDGES, "qwen", MADE)
    given = tmp_path / "brought.gguf"
    given.write_bytes(DATA)
    assert get_judge.main(["qwen", "--from", str(given), "--to", str(tmp_path / "judges")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'judges' / 'made.gguf'}\n"
    assert get_judge.main(["qwen", "--from", "absent", "--to", str(tmp_path / "elsewhere")]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("weights", get_judge.JUDGES.values(), ids=get_judge.JUDGES)
def test_the_parts_of_a_known_judge_add_up(weights: KnownFile) -> None:
    last = weights.size - (len(weights.packages) - 1) * weights.part_size
    assert 0 < last <= weights.part_size
    assert len(weights.sha256) == 64
