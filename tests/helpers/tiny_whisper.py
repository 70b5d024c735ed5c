"""The tiny Whisper of tests/cases, whose window is 1 s."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

CASE = Path(__file__).parents[1] / "cases" / "tiny_whisper"
GOLDEN: list[dict[str, Any]] = json.loads(CASE.with_suffix(".json").read_text(encoding="utf-8"))


def copy_whisper(folder: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(CASE, folder / "whisper"))
