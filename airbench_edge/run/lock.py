"""One writer at a time in a run folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from airbench_edge.errors import InputError

LOCK_NAME = "run.lock"
OWNER_NAME = "run.pid"


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the system frees it when the process ends, however it ends.

    The owner's process id stands in a file beside the lock, since taking a lock may empty the lock file itself.

    Raises:
        InputError: Another process holds it, or the folder cannot be written.
    """
    lock, owner = filelock.FileLock(folder / LOCK_NAME), folder / OWNER_NAME
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout as error:
        holder = owner.read_text(encoding="ascii") if owner.exists() else "unknown"
        raise InputError(f"{folder} is being written by process {holder}: let it end, or stop it, first.") from error
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}): choose another folder.") from error
    try:
        owner.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()
