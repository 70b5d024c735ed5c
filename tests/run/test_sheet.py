"""Replies of two instruments never share a file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from airbench_edge.benchmark.records import AlignedLetter, Order, Verdict
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.sheet import is_settled, open_sheet, read_sheet

FIRST = JudgeIdentity("llama", "qwen2.5-q4", {"weights": "aa", "threads": "2"})
SECOND = JudgeIdentity("llama", "qwen2.5-q4", {"weights": "bb", "threads": "2"})
ORDER: list[int | str] = [1, 2, 3, "x"]


def test_one_name_two_instruments_two_files(tmp_path: Path) -> None:
    first = open_sheet(tmp_path, FIRST, [1], ORDER)
    second = open_sheet(tmp_path, SECOND, [2], ORDER)
    assert first == tmp_path / "qwen2.5-q4.jsonl"
    assert second.stem.startswith("qwen2.5-q4-")
    assert second.parent == tmp_path
    assert [read_sheet(path.with_suffix(".json")).identity for path in (first, second)] == [FIRST, SECOND]


def test_an_instrument_finds_its_own_file_again_whatever_the_order_of_its_details(tmp_path: Path) -> None:
    first = open_sheet(tmp_path, FIRST, [1], ORDER)
    second = open_sheet(tmp_path, SECOND, [1], ORDER)
    turned = JudgeIdentity("llama", "qwen2.5-q4", {"threads": "2", "weights": "bb"})
    assert open_sheet(tmp_path, FIRST, [1], ORDER) == first
    assert open_sheet(tmp_path, turned, [1], ORDER) == second


def test_what_was_planned_once_stays_planned_in_the_order_of_the_run(tmp_path: Path) -> None:
    path = open_sheet(tmp_path, FIRST, ["x", 2], ORDER)
    assert read_sheet(path.with_suffix(".json")).planned == (2, "x")
    open_sheet(tmp_path, FIRST, [3], ORDER)
    assert read_sheet(path.with_suffix(".json")).planned == (2, 3, "x")


def test_a_sheet_that_fits_nobody_is_refused(tmp_path: Path) -> None:
    open_sheet(tmp_path, FIRST, [1], ORDER)
    second = open_sheet(tmp_path, SECOND, [1], ORDER).with_suffix(".json")
    head = read_sheet(second)
    changed = msgspec.structs.replace(head, identity=JudgeIdentity("llama", "qwen2.5-q4", {"weights": "cc"}))
    second.write_bytes(msgspec.json.encode(changed))
    with pytest.raises(InputError, match="changed by hand"):
        open_sheet(tmp_path, SECOND, [1], ORDER)


def test_a_damaged_head_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"identity": 1')
    with pytest.raises(InputError, match=r"a\.json cannot be used"):
        read_sheet(tmp_path / "a.json")


def test_only_what_asking_again_cannot_help_is_settled() -> None:
    def verdict(text: str | None, failure: str) -> Verdict:
        return Verdict(1, Order.MODEL_FIRST, text, failure=failure)

    assert is_settled(verdict("8 7", ""))
    assert is_settled(verdict("no score at all", ""))  # a reply is a reply; the rules will count it as unreadable
    assert is_settled(verdict(None, "too_long"))
    assert not is_settled(verdict(None, "rate_limited"))
    assert not is_settled(AlignedLetter(1, None, "timeout"))
    assert not is_settled(None)


def test_replies_without_their_head_are_nobodys(tmp_path: Path) -> None:
    identity = JudgeIdentity("recorded", "old", {})
    sheet = open_sheet(tmp_path, identity, [1], [1])
    sheet.write_text('{"uniq_id": 1}\n', encoding="utf-8")
    sheet.with_suffix(".json").unlink()
    with pytest.raises(InputError, match="is missing, so nothing says whose"):
        open_sheet(tmp_path, identity, [1], [1])


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "verdicts").touch()
    with pytest.raises(InputError, match=r"verdicts cannot be made a folder \(File exists\): move away"):
        open_sheet(tmp_path / "verdicts", FIRST, [1], ORDER)
