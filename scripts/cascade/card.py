"""The card of a cascade folder: what its parts are, where they came from, under which licence."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple


class Part(NamedTuple):
    """A line of the card.

    Attributes:
        role: What it does in the cascade.
        what: The model.
        source: Where its bytes came from.
        licence: Licence of the weights.
        files: Where they lie in the folder.
    """

    role: str
    what: str
    source: str
    licence: str
    files: tuple[Path, ...]


def card(name: str, folder: Path, parts: list[Part]) -> str:
    """Markdown text of the card, with the SHA-256 of every file of the parts."""
    lines = [f"# Cascade {name}", "", "Made by `scripts/make_cascade.py`; run it with `--model cascade:FOLDER`.", ""]
    lines += ["| part | model | from | licence |", "|---|---|---|---|"]
    lines += [f"| {part.role} | {part.what} | {part.source} | {part.licence} |" for part in parts]
    lines += ["", "SHA-256 of the files:", "", "```"]
    for file in (file for part in parts for file in part.files):
        with file.open("rb") as stream:
            lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {file.relative_to(folder)}")
    return "\n".join([*lines, "```", ""])
