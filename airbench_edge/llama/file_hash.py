"""SHA-256 of large files, remembered in the user's cache by path, size and time of change."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from airbench_edge.user_cache import cache_folder


def sha256_of(parts: Sequence[Path]) -> str:
    """Hash of one file, or of the files of a split model one after the other.

    The weights of a judge are gigabytes; they are read again only after a change that the file system shows.
    """
    remembered = _memory_of(parts)
    with suppress(OSError):
        digest = remembered.read_text("ascii")
        if re.fullmatch("[0-9a-f]{64}", digest):
            return digest
    hashed = hashlib.sha256()
    for part in parts:
        with part.open("rb") as file:
            while block := file.read(1 << 20):
                hashed.update(block)
    with suppress(OSError):  # a read-only home costs time, nothing else
        remembered.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(remembered, hashed.hexdigest())
    return hashed.hexdigest()


def _memory_of(parts: Sequence[Path]) -> Path:
    states = [(str(part.resolve()), part.stat().st_size, part.stat().st_mtime_ns) for part in parts]
    return cache_folder() / "sha256" / hashlib.sha256(repr(states).encode()).hexdigest()


def _write_whole(path: Path, text: str) -> None:
    """Write so that another process sees all or nothing."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)
