"""Ask a judge about the probes and make its card."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from airbench_edge.benchmark.items import UniqId
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import Judge, JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.health.card import HealthCard, reading
from airbench_edge.judges.health.limits import LIMITS
from airbench_edge.judges.health.measures import mean_measure, measures, share_measure
from airbench_edge.judges.health.plan import Trial, full_plan
from airbench_edge.judges.health.probes import all_probes, probes_digest
from airbench_edge.judges.health.scored import Pair, scored

_FORM = 1
"""Grows when a measure changes its meaning."""

# A judge is not to blame for these; the card is made anew the next time.
_PASSING = frozenset({"rate_limited", "timeout", "server_error", "engine_error"})


class Checked(msgspec.Struct, frozen=True):
    """A card and how long it took, which is no part of it: it differs from day to day.

    Attributes:
        card: The card.
        seconds: Wall time of all verdicts, the loading of the model included.
    """

    card: HealthCard
    seconds: float

    @property
    def is_lasting(self) -> bool:
        """Whether every verdict is there that the judge had to give."""
        return not _PASSING & self.card.failures.keys()


def edition() -> str:
    """Names the probes, limits and measures of this version."""
    limits = msgspec.json.encode(LIMITS, order="sorted")
    return f"{_FORM}-{probes_digest()[:12]}-{hashlib.sha256(limits).hexdigest()[:12]}"


def check(judge: Judge, plan: Sequence[Trial], advanced: Callable[[int, int], None]) -> Checked:
    """Ask for every verdict of a plan.

    Args:
        judge: The judge.
        plan: What to ask.
        advanced: Told how many verdicts of how many are there.

    Raises:
        InputError: The judge cannot be asked, or cannot go on.
    """
    if judge.identity.kind == "recorded":
        raise InputError("Recorded verdicts cannot be asked anything new: check the judge that gave them.")
    requests = [
        JudgeRequest(place, trial.order, trial.probe.prompt(trial.kind, trial.order, judge.identity.prompt))
        for place, trial in enumerate(plan)
    ]
    began = time.monotonic()
    replies: dict[UniqId, JudgeReply] = {}
    for request, reply in judge.replies(requests):
        replies[request.uniq_id] = reply
        advanced(len(replies), len(plan))
    seconds = time.monotonic() - began
    return Checked(make_card(judge.identity, plan, [replies[place] for place in range(len(plan))]), round(seconds, 1))


def make_card(identity: JudgeIdentity, plan: Sequence[Trial], replies: Sequence[JudgeReply]) -> HealthCard:
    """Measure the replies to a plan, one for each of its trials."""
    read = [read_verdict("strict", reply.text, reply.finish) for reply in replies]
    common = [share_measure("read", (found.scores is not None for found in read))]
    masses = [reply.format_mass for reply in replies if reply.format_mass is not None]
    if masses:
        common.append(mean_measure("format_mass", masses))
    integers: list[Pair | None] = [found.scores for found in read]
    expected = [reply.expected for reply in replies]
    return HealthCard(
        identity=identity,
        edition=edition(),
        probes=len({trial.probe.id for trial in plan}),
        verdicts=len(plan),
        full=len(plan) == len(full_plan(all_probes())),
        failures=dict(
            Counter(reply.failure or why for reply, (scores, why) in zip(replies, read, strict=True) if not scores)
        ),
        integers=reading([*common, *measures(scored(plan, integers))]),
        expected=reading([*common, *measures(scored(plan, expected))]) if any(expected) else None,
    )
