from __future__ import annotations

import msgspec
import pytest

from airbench_edge.errors import InputError
from airbench_edge.json_lines import decode, read_lines


class Pair(msgspec.Struct):
    left: int
    right: str


def test_a_mark_in_front_blank_lines_and_other_line_ends_are_taken() -> None:
    content = b'\xef\xbb\xbf{"left": 1, "right": "a"}\r\n\r\n  \n{"left": 2, "right": "b"}'
    assert list(read_lines(content, Pair, lambda number, why: "")) == [Pair(1, "a"), Pair(2, "b")]


def test_a_line_of_another_form_is_refused_with_its_number_and_the_callers_sentence() -> None:
    lines = read_lines(
        b'\n{"left": 1, "right": "a"}\n{"left": "x"}\n', Pair, lambda number, why: f"line {number}: {why}"
    )
    assert next(lines) == Pair(1, "a")
    with pytest.raises(InputError, match=r"line 3: .*left"):
        next(lines)


@pytest.mark.parametrize(
    ("raw", "right"),
    [
        (b'{"left": 1, "right": "\\ud83d"}', "\ufffd"),
        (b'{"left": 1, "right": "\\ud83d\\ude00 \\udfff"}', "\U0001f600 \ufffd"),
        (b'{"left": 1, "right": "a", "else": {"\\udfff": 1}}', "a"),
    ],
)
def test_halves_of_characters_are_replaced(raw: bytes, right: str) -> None:
    assert decode(raw, Pair) == Pair(1, right)
    assert list(read_lines(raw, Pair, lambda number, why: "")) == [Pair(1, right)]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"left": NaN, "right": "\\ud83d"}',
        b'{"left": 1e999, "right": "\\ud83d"}',
        b'{"left": 1, "right": "\xff"}',
        b'{"left": "\\ud83d", "right": "a"}',
        b'{"left": 1, "right": "a", "else": ' + b"[" * 100_000,
        b'{"left": 1, "right": "\\ud83d", "else": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"left": 1, "right": "\\ud83d',
        '{"left": 1, "right": "a"}'.encode("utf-16"),
        b"",
    ],
)
def test_everything_else_is_refused_with_the_callers_sentence(raw: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(raw, Pair)
    if raw:
        with pytest.raises(InputError, match="line 1"):
            list(read_lines(raw, Pair, lambda number, why: f"line {number}"))
