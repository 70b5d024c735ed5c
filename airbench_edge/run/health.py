"""Copies of health cards in the run folder, so that a report made elsewhere knows what its judges are worth."""

from __future__ import annotations

from pathlib import Path

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.digest import digest
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.run.atomic import write_atomically

HEALTH = "health"


def keep_card(folder: Path, card: HealthCard) -> None:
    """Put a card into a run folder, in the place of an older one of the same judge.

    Raises:
        InputError: The folder cannot be written to.
    """
    place = _place(folder, card.identity)
    try:
        place.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{place.parent} cannot be made ({error.strerror}): free some space.") from error
    write_atomically(place, msgspec.json.format(msgspec.json.encode(card)) + b"\n")


def read_card(folder: Path, judge: JudgeIdentity) -> HealthCard | None:
    """The card of this very judge; None where it was not checked, or by a version whose cards were different.

    Raises:
        InputError: There may be one, but it cannot be read: a judge that failed must not look like one that did not.
    """
    place = _place(folder, judge)
    try:
        return msgspec.json.decode(place.read_bytes(), type=HealthCard)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    except OSError as error:
        raise InputError(f"{place} cannot be read ({error.strerror}): check its permissions.") from error


def _place(folder: Path, judge: JudgeIdentity) -> Path:
    return folder / HEALTH / f"{judge.name}-{digest(judge)[:12]}.json"
