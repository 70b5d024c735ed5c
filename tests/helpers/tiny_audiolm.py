"""The tiny model of tests/cases, and ways to damage a copy of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

CASE = Path(__file__).parents[1] / "cases" / "tiny_audiolm"
GOLDEN: dict[str, Any] = json.loads(CASE.with_suffix(".json").read_text(encoding="utf-8"))


def copy_model(folder: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(CASE, folder / "model"))


def edit_json(file: Path, **changes: object) -> None:
    """Change fields of a JSON file; None removes a field."""
    content = {**json.loads(file.read_text(encoding="utf-8")), **changes}
    kept = {name: value for name, value in content.items() if value is not None}
    file.write_text(json.dumps(kept), encoding="utf-8")


def replace_bytes(file: Path, old: bytes, new: bytes) -> None:
    """Exchange bytes of equal number, as a name inside a graph."""
    content = file.read_bytes()
    assert len(old) == len(new)
    assert old in content
    file.write_bytes(content.replace(old, new))
