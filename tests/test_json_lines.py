from __future__ import annotations

import msgspec
import pytest

from airbench_edge.errors import InputError
from airbench_edge.json_lines import read_lines


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
