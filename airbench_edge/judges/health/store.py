"""Health cards in the user's cache, one for each judge that was ever checked on this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.digest import digest
from airbench_edge.judges.health.check import Checked, edition
from airbench_edge.user_cache import cache_folder


def stored(identity: JudgeIdentity) -> Checked | None:
    """The card of this very judge, unless there is none of this edition."""
    try:
        checked = msgspec.json.decode(_place(identity).read_bytes(), type=Checked)
    except (OSError, msgspec.MsgspecError):
        return None
    return checked if checked.card.identity == identity and checked.card.edition == edition() else None


def store(checked: Checked) -> None:
    """Keep a card, unless a fuller one is there or the judge could not reply to everything."""
    known = stored(checked.card.identity)
    if not checked.is_lasting or (known and known.card.verdicts > checked.card.verdicts):
        return
    place = _place(checked.card.identity)
    fresh = place.with_suffix(f".{os.getpid()}.tmp")
    with suppress(OSError):  # a read-only home costs time, nothing else
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(checked), indent=1))
        fresh.replace(place)


def _place(identity: JudgeIdentity) -> Path:
    return cache_folder() / "health" / f"{digest(identity)}.json"
