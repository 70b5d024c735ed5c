from __future__ import annotations

import os
import signal

import pytest

from airbench_edge.cli.interrupts import interruptible


def interrupted_inside_a_library() -> None:
    """As extensions in C do that meet an error while they answer an interrupt."""
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("could not determine the shape of object type 'torch.storage.UntypedStorage'") from None


def test_what_a_library_makes_of_an_interrupt_is_one() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        interrupted_inside_a_library()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_without_an_interrupt_stays_what_it_is() -> None:
    with pytest.raises(ValueError, match="a fault"), interruptible():
        raise ValueError("a fault")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_who_ignores_interrupts_goes_on_doing_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
