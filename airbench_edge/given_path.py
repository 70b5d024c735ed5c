"""A path as a user types it."""

from __future__ import annotations

from pathlib import Path

from airbench_edge.errors import InputError


def given_path(text: str) -> Path:
    """The path with ``~`` and ``~user`` resolved.

    Raises:
        InputError: Nothing was given, or there is no such user.
    """
    if not text.strip():
        raise InputError("An empty path was given: name a file or a folder.")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise InputError(f"{text} begins with a user who has no home here: write the path out.") from None
