"""Ctrl-C on its way through libraries."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[None]:
    """Let an interrupt end the block as one, whatever the libraries that it comes up through make of it.

    Extensions in C drop a ``KeyboardInterrupt`` or raise errors of their own in its place.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # one who asked for interrupts to be ignored gets that
        yield
        return
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    except Exception as error:
        if heard:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, before)
