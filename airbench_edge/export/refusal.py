"""Whatever a library makes of a faulty checkpoint becomes one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from airbench_edge.errors import InputError

_LONGEST = 300


@contextmanager
def refused(what: str, cure: str) -> Iterator[None]:
    """Turn what is raised inside into an ``InputError``, as no list of what faulty files can raise would be whole.

    Args:
        what: What cannot be done, as in "Cannot load the weights in X".
        cure: What to do about it.
    """
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{what}: {told(error)}: {cure}.") from error


def told(error: Exception) -> str:
    """An error on one line, with its type, without which a KeyError says nothing."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:_LONGEST].rstrip(' .:')}" if text else type(error).__name__
