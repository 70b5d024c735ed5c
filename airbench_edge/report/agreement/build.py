"""Runs in memory to the comparison of two of their judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from airbench_edge import __version__
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, chat_task
from airbench_edge.errors import InputError
from airbench_edge.report.agreement.answers import Answer, ByJudge, by_expected, by_integers, common, readable
from airbench_edge.report.agreement.model import (
    AGREEMENT_SCHEMA,
    AgreementModel,
    Apart,
    Part,
    Point,
    Rank,
    Reading,
    Side,
)
from airbench_edge.report.agreement.part import measure
from airbench_edge.report.choose_judge import choose_judge
from airbench_edge.run.folder import Judged, RunData

ALL = "all"


def compare_judges(runs: Sequence[RunData], names: tuple[str, str]) -> AgreementModel:
    """Compare two judges on every answer that both have scored in both orders.

    Raises:
        InputError: A judge is not known to a run, is another instrument in another run, or no answer is common.
    """
    judged = [[choose_judge(run, name) for name in names] for run in runs]
    _check_same(runs, judged)
    answers: list[Answer] = []
    only = [0, 0]
    for run, (one, other) in zip(runs, judged, strict=True):
        first, second = readable(run, one), readable(run, other)
        answers += common(run, first, second)
        only = [only[0] + len(first.keys() - second.keys()), only[1] + len(second.keys() - first.keys())]
    if not answers:
        raise InputError(f"{names[0]} and {names[1]} have not scored one answer in common in both orders: judge more.")
    sides = [Side(one.identity, one.health, missing) for one, missing in zip(judged[0], only, strict=True)]
    return AgreementModel(
        schema=AGREEMENT_SCHEMA,
        program=__version__,
        runs=tuple(str(run.path) for run in runs),
        first=sides[0],
        second=sides[1],
        readings=tuple(_readings(answers)),
        furthest=tuple(_furthest(answers)),
    )


def _check_same(runs: Sequence[RunData], judged: Sequence[Sequence[Judged]]) -> None:
    for run, both in zip(runs, judged, strict=True):
        for one, expected in zip(both, judged[0], strict=True):
            if one.identity != expected.identity:
                raise InputError(
                    f"{one.identity.name} in {run.path} is another instrument than in {runs[0].path} (see "
                    "airbench-edge judge diff): scores of two instruments are never put together."
                )


def _readings(answers: Sequence[Answer]) -> Iterator[Reading]:
    sides = [[answer.first for answer in answers], [answer.second for answer in answers]]
    integers = [by_integers(ratings) for ratings in sides]
    yield _reading("integers", answers, *integers)
    expected = [by_expected(ratings) for ratings in sides]
    if any(expected):
        first, second = (told or written for told, written in zip(expected, integers, strict=True))
        yield _reading("expected", answers, first, second)


def _reading(
    scores: Literal["integers", "expected"], answers: Sequence[Answer], first: ByJudge, second: ByJudge
) -> Reading:
    pairs = zip(first.means.tolist(), second.means.tolist(), strict=True)
    counts = Counter((round((one + other) / 2, 3), round(other - one, 3)) for one, other in pairs)
    return Reading(
        scores,
        tuple(_parts(answers, first, second)),
        tuple(_ranks(answers, first, second)),
        tuple(Point(mean, difference, count) for (mean, difference), count in sorted(counts.items())),
    )


def _parts(answers: Sequence[Answer], first: ByJudge, second: ByJudge) -> Iterator[Part]:
    for category in CHAT_CATEGORIES:
        places = [place for place, answer in enumerate(answers) if _category(answer) == category]
        if places:
            chosen = [answers[place] for place in places]
            yield measure(category, chosen, first.of(places), second.of(places))
    yield measure(ALL, answers, first, second)


def _category(answer: Answer) -> str | None:
    task = chat_task(answer.item.task)
    return task.category if task else None


def _ranks(answers: Sequence[Answer], first: ByJudge, second: ByJudge) -> list[Rank]:
    """The runs by both judges, over the items that are there for every run."""
    runs = list(dict.fromkeys(answer.run for answer in answers))
    held = [{answer.item.uniq_id for answer in answers if answer.run == run} for run in runs]
    shared = set.intersection(*held)
    if len(runs) < 2 or not shared:
        return []
    places = [
        [place for place, answer in enumerate(answers) if answer.run == run and answer.item.uniq_id in shared]
        for run in runs
    ]
    means = [[float(np.mean(judge.of(chosen).means)) for chosen in places] for judge in (first, second)]
    ranks = [[1 + sum(other > one for other in side) for one in side] for side in means]
    found = [Rank(run, means[0][at], ranks[0][at], means[1][at], ranks[1][at]) for at, run in enumerate(runs)]
    return sorted(found, key=lambda rank: rank.first_rank)


def _furthest(answers: Sequence[Answer]) -> list[Apart]:
    apart = [_apart(answer) for answer in answers]
    return sorted((one for one in apart if one.difference), key=lambda one: -abs(one.difference))


def _apart(answer: Answer) -> Apart:
    first, second = (by_integers([rating]).answer[0].tolist() for rating in (answer.first, answer.second))
    item, response = answer.item, answer.first.response
    return Apart(
        run=answer.run,
        uniq_id=item.uniq_id,
        task=item.task,
        question=item.question,
        reference=item.answer_gt,
        response=(response.text or "") if response else "",
        first=(first[0], first[1]),
        second=(second[0], second[1]),
        difference=(second[0] + second[1] - first[0] - first[1]) / 2,
    )
