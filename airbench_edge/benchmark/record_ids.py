"""Ids of records: as written where they can be, stable and made from the record's place where they cannot.

A repeated record is counted once. Different records that share an id are kept apart under made ids, all of them, so
that a response stored under the shared id stands for none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

import msgspec

from airbench_edge.benchmark.items import Item, UniqId
from airbench_edge.benchmark.notes import Problem, Severity
from airbench_edge.benchmark.record_fields import is_blank

REPEATED_RECORD: Final = "repeated_record"


class Numbered(msgspec.Struct, frozen=True):
    """The final id of a record, and what to say about it."""

    uniq_id: UniqId
    problem: Problem | None = None


def given_id(value: object) -> tuple[UniqId | None, Problem | None]:
    """The id as the record gives it; None where it has none that can serve."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value, None
    if is_blank(value):
        return None, None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
        return value, None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value), Problem("id_type", f"uniq_id {value!r} was taken for the whole number {int(value)}.")
    return None, Problem("id_type", f"uniq_id {str(value)[:40]!r} is neither plain text nor a whole number.")


def number_records(given: Sequence[UniqId | None], items: Sequence[Item | None]) -> list[Numbered]:
    """Give every record its final id.

    Args:
        given: Id of each record, in file order.
        items: What each record became, its own id left out of it; None where it was set aside.
    """
    repeats = _repeats(given, items)
    kept = Counter(uid for place, uid in enumerate(given) if items[place] is not None and place not in repeats)
    taken = set(given)
    numbered = []
    for place, uid in enumerate(given):
        if uid is None or (kept[uid] > 1 and items[place] is not None and place not in repeats):
            made = _fresh(f"record-{place + 1}" if uid is None else f"{uid}#record-{place + 1}", taken)
            shared = Problem("duplicate_id", f"Other records share uniq_id {uid!r}: called {made}.")
            numbered.append(Numbered(made, repeats.get(place) if uid is None else shared))
        else:
            numbered.append(Numbered(uid, repeats.get(place)))
    return numbered


def _repeats(given: Sequence[UniqId | None], items: Sequence[Item | None]) -> dict[int, Problem]:
    first: dict[tuple[UniqId | None, Item], int] = {}
    repeats = {}
    for place, (uid, item) in enumerate(zip(given, items, strict=True)):
        if item is not None and (earlier := first.setdefault((uid, item), place)) != place:
            message = f"The same as record {earlier + 1}: counted once."
            repeats[place] = Problem(REPEATED_RECORD, message, Severity.SET_ASIDE)
    return repeats


def _fresh(wanted: str, taken: Container[UniqId | None]) -> str:
    while wanted in taken:
        wanted += "#"
    return wanted
