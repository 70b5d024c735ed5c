"""The card of a judge, made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from airbench_edge.judges.contract import Judge
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.judges.health.check import check
from airbench_edge.judges.health.plan import quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.judges.health.store import store, stored


def card_of(judge: Judge, watch: Callable[[], AbstractContextManager[Callable[[int, int], None]]]) -> HealthCard | None:
    """The card that is kept, or a quick one made now; recorded verdicts have none.

    Args:
        judge: The judge.
        watch: Opened around a check, if there has to be one; what it gives is told how many verdicts of how many are
            there.

    Raises:
        InputError: The judge cannot go on.
    """
    if judge.identity.kind == "recorded":
        return None
    if known := stored(judge.identity):
        return known.card
    with watch() as advanced:
        checked = check(judge, quick_plan(all_probes()), advanced)
    store(checked)
    return checked.card
