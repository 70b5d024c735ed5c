"""One writer at a time, whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from airbench_edge.errors import InputError
from airbench_edge.run.lock import OWNER_NAME, sole_writer

HOLDER = (
    "import pathlib, sys, time\n"
    "from airbench_edge.run.lock import sole_writer\n"
    "with sole_writer(pathlib.Path(sys.argv[1])):\n"
    "    print('held', flush=True)\n"
    "    time.sleep(60)\n"
)


def test_the_second_process_is_refused_with_the_first_ones_id_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        for _ in range(2):  # being refused must not spoil the owner's id for the next one
            with pytest.raises(InputError, match=f"written by process {first.pid}:"), sole_writer(tmp_path):
                pass
        first.send_signal(signal.SIGKILL)
        first.wait()
        with sole_writer(tmp_path):
            assert (tmp_path / OWNER_NAME).read_text() == str(os.getpid())


def test_the_lock_is_free_again_after_an_interrupt(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), sole_writer(tmp_path):
        raise KeyboardInterrupt
    with sole_writer(tmp_path):
        pass
    assert not (tmp_path / OWNER_NAME).exists()
