"""One line of what was found."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from airbench_edge.errors import InputError


class Level(StrEnum):
    """What a finding means for a run.

    ``info``: nothing that was asked for depends on it. ``warning``: it works, but not as well as it could. ``problem``:
    it does not work.
    """

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    Attributes:
        topic: What, in a word or two.
        level: What it means.
        found: What there is.
        remedy: What to do about it; every warning and problem has one.
    """

    topic: str
    level: Level
    found: str
    remedy: str = ""


def problem(topic: str, error: InputError) -> Finding:
    """What a run would say: what is wrong and, behind the last colon of the sentence, what to do."""
    found, _, remedy = str(error).rpartition(": ")
    return Finding(topic, Level.PROBLEM, found or str(error), remedy[:1].upper() + remedy[1:])
