"""A folder that appears whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from airbench_edge.errors import InputError

_LOCK = ".airbench-export.lock"
_LONGEST = 200  # bytes of a name that leave room for what makes it one of its own


@contextmanager
def unfinished(out: Path) -> Iterator[Path]:
    """Give a hidden folder beside ``out`` that gets its name when the block ends well, and goes when it does not.

    What killed exports to the same place left goes too: the system has freed their locks.

    Args:
        out: The folder to be.

    Raises:
        InputError: It exists, or cannot be made there.
    """
    _refuse_existing(out)
    prefix = f".{os.fsdecode(os.fsencode(out.name)[:_LONGEST])}."
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(out.parent, prefix)
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=out.parent))
    except OSError as error:
        raise _no_place(out, error) from error
    lock = filelock.FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
        yield folder
        (folder / _LOCK).unlink()
        folder.chmod(0o777 & ~_umask())
        folder.rename(out)
    finally:
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)


def _refuse_existing(out: Path) -> None:
    try:
        out.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _no_place(out, error) from error
    raise InputError(f"{out} exists already; name a new folder, or remove it first.")


def _no_place(out: Path, error: OSError) -> InputError:
    return InputError(f"{out} cannot be made ({error.strerror}): name a folder in a place that can be written to.")


def _remove_stale(parent: Path, prefix: str) -> None:
    for folder in parent.iterdir():
        if folder.name.startswith(prefix) and (folder / _LOCK).is_file() and _is_free(folder / _LOCK):
            shutil.rmtree(folder, ignore_errors=True)


def _is_free(lock: Path) -> bool:
    try:
        with filelock.FileLock(lock, timeout=0):
            return True
    except (filelock.Timeout, OSError):
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
