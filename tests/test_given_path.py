"""Paths as users type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path


def test_home_is_resolved() -> None:
    assert given_path("~/runs") == Path.home() / "runs"
    assert given_path("runs/a~b") == Path("runs/a~b")


@pytest.mark.parametrize(("text", "message"), [("", "empty path"), ("~nobodyhere/x", "no home here")])
def test_what_names_no_place_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        given_path(text)
