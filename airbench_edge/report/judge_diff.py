"""Which verdicts moved between two instruments, such as one model in two builds of its engine."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from airbench_edge import __version__
from airbench_edge.benchmark.items import ChatItem, UniqId
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import Judged, RunData

DIFF_SCHEMA = 1


class MovedVerdict(msgspec.Struct, frozen=True):
    """A verdict whose scores differ.

    Attributes:
        uniq_id: Id of the item.
        folder: Folder of its clip.
        order: Whose answer came first.
        first: Scores of the answers read first and second, by the first judge; None where it gave none that can be
            read.
        second: The same by the second judge.
        first_text: Raw reply of the first judge; its failure where there is none.
        second_text: The same of the second judge.
        points: By how many points the score of the model's answer moved; None where one cannot be read.
    """

    uniq_id: UniqId
    folder: str
    order: Order
    first: tuple[int, int] | None
    second: tuple[int, int] | None
    first_text: str
    second_text: str
    points: int | None


class JudgeDiff(msgspec.Struct, frozen=True):
    """Everything that differs.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        run: The run folder as given.
        first: The first judge.
        second: The second judge.
        details: What their identities do not have in common: value of the first and of the second, empty for none.
        common: Verdicts that both gave.
        only_first: Verdicts of the first judge alone.
        only_second: Verdicts of the second judge alone.
        expected: Largest difference of an expected score; None where not both have any.
        moved: Verdicts whose scores differ, those that cannot be read first, then the widest apart.
    """

    schema: int
    program: str
    run: str
    first: JudgeIdentity
    second: JudgeIdentity
    details: dict[str, tuple[str, str]]
    common: int
    only_first: int
    only_second: int
    expected: float | None
    moved: tuple[MovedVerdict, ...]


def judge_diff(run: RunData, first: Judged, second: Judged) -> JudgeDiff:
    """Set the verdicts of two judges beside each other, in the order of the items."""
    keys = [key for key in first.records if key in second.records]
    moved = _moved(run, first, second)
    return JudgeDiff(
        schema=DIFF_SCHEMA,
        program=__version__,
        run=str(run.path),
        first=first.identity,
        second=second.identity,
        details=_details(first.identity, second.identity),
        common=len(keys),
        only_first=len(first.records) - len(keys),
        only_second=len(second.records) - len(keys),
        expected=max((gap for key in keys for gap in _gaps(first.records[key], second.records[key])), default=None),
        moved=tuple(sorted(moved, key=lambda one: (one.points is not None, -abs(one.points or 0)))),
    )


def _moved(run: RunData, first: Judged, second: Judged) -> Iterator[MovedVerdict]:
    for item in run.items:
        if not isinstance(item, ChatItem):
            continue
        for order in Order:
            one, other = first.records.get((item.uniq_id, order)), second.records.get((item.uniq_id, order))
            if one and other and (difference := _difference(item, one, other)):
                yield difference


def _difference(item: ChatItem, one: Verdict, other: Verdict) -> MovedVerdict | None:
    scores = [read_verdict("strict", verdict.text, verdict.finish).scores for verdict in (one, other)]
    if scores[0] == scores[1]:
        return None
    ours = 1 if one.order is Order.REFERENCE_FIRST else 0
    points = scores[1][ours] - scores[0][ours] if scores[0] and scores[1] else None
    texts = [verdict.text if verdict.text is not None else verdict.failure for verdict in (one, other)]
    return MovedVerdict(item.uniq_id, item.folder, one.order, scores[0], scores[1], texts[0], texts[1], points)


def _gaps(one: Verdict, other: Verdict) -> Iterator[float]:
    if one.expected and other.expected:
        yield from (abs(first - second) for first, second in zip(one.expected, other.expected, strict=True))


def _details(first: JudgeIdentity, second: JudgeIdentity) -> dict[str, tuple[str, str]]:
    sides = [{"kind": one.kind, "name": one.name, **one.details} for one in (first, second)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    values = {name: (sides[0].get(name, ""), sides[1].get(name, "")) for name in names}
    return {name: pair for name, pair in values.items() if pair[0] != pair[1]}
