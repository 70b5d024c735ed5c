"""Files that are either the old ones or the new ones, whole, whenever the machine stops."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from airbench_edge.errors import InputError


def write_atomically(path: Path, content: bytes) -> None:
    """Put ``content`` in the place of ``path``: written beside it, synced, then renamed.

    Raises:
        InputError: The folder cannot be written to.
    """
    try:
        with in_place_of(path) as file:
            file.write(content)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): free some space or choose another folder."
        ) from error


@contextmanager
def in_place_of(path: Path) -> Iterator[BinaryIO]:
    """A file to write in the block, which takes the place of ``path`` at its end; nothing of it stays if that fails.

    Raises:
        OSError: The folder cannot be written to.
    """
    fresh = path.with_name(path.name + ".tmp")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename outlive a power failure; Windows has no such call and needs none."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
