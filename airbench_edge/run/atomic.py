"""Files that are either the old ones or the new ones, whole, whenever the machine stops."""

from __future__ import annotations

import os
from pathlib import Path

from airbench_edge.errors import InputError


def write_atomically(path: Path, content: bytes) -> None:
    """Put ``content`` in the place of ``path``: written beside it, synced, then renamed.

    Raises:
        InputError: The folder cannot be written to.
    """
    fresh = path.with_name(path.name + ".tmp")
    try:
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): free some space or choose another folder."
        ) from error


def _sync_folder(folder: Path) -> None:
    """Make a rename outlive a power failure; Windows has no such call and needs none."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
