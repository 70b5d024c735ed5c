"""Cases of responses and judge replies, one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases"


def read_cases(*names: str) -> list[dict[str, Any]]:
    """Return the cases of the named files, in order."""
    lines = [line for name in names for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines]


def options_of(case: dict[str, Any]) -> dict[str, str]:
    """Return letter to text of the options that a case offers."""
    return dict(zip("ABCDEFGH", case["choices"], strict=False))


def accepted(case: dict[str, Any]) -> list[Any]:
    """Return the right values of a case: two where careful readers differ."""
    return [case["expected"], case["also"]] if "also" in case else [case["expected"]]
