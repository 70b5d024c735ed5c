"""Where and how fast a run was made: kept beside the run, never compared."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import msgspec

from airbench_edge import __version__
from airbench_edge.errors import InputError
from airbench_edge.run.atomic import write_atomically
from airbench_edge.run.journal import Journal, read_journal

_MACHINE = "machine.json"
_TIMINGS = "timings.jsonl"


class Machine(msgspec.Struct, frozen=True):
    """The machine that answered.

    Attributes:
        airbench_edge: Version of this program.
        python: Version of Python.
        platform: Operating system and architecture.
        host: Its name.
        cpus: Logical processors.
        providers: Session of the audio-LM to the execution provider that it really got.
    """

    airbench_edge: str
    python: str
    platform: str
    host: str
    cpus: int
    providers: dict[str, str]


class Timing(msgspec.Struct, frozen=True):
    """One stage of one command that wrote something.

    Attributes:
        stage: ``answer``, ``align`` or ``judge``.
        name: The model or judge.
        host: Name of the machine.
        started: Wall clock in UTC, ISO 8601.
        seconds: How long it took.
        done: Items or verdicts done, failures included.
        audio_s: Seconds of sound heard.
    """

    stage: str
    name: str
    host: str
    started: str
    seconds: float
    done: int
    audio_s: float


def note_machine(folder: Path, providers: dict[str, str]) -> None:
    """Write down this machine as the one that answers."""
    machine = Machine(
        __version__,
        platform.python_version(),
        platform.platform(),
        platform.node(),
        os.cpu_count() or 1,
        providers,
    )
    write_atomically(folder / _MACHINE, msgspec.json.format(msgspec.json.encode(machine)))


def note_timing(folder: Path, timing: Timing) -> None:
    """Add one line to the timings."""
    with Journal(folder / _TIMINGS, Timing) as journal:
        journal.append(timing)


def read_machine(folder: Path) -> Machine | None:
    """Read which machine answered; None before the first answer.

    Raises:
        InputError: The file is damaged.
    """
    path = folder / _MACHINE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Machine) if path.exists() else None
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{path} cannot be used ({error}): delete it, it only names the machine.") from error


def read_timings(folder: Path) -> tuple[Timing, ...]:
    """Read the timings of all stages so far.

    Raises:
        InputError: The file is damaged.
    """
    return tuple(read_journal(folder / _TIMINGS, Timing).records)
