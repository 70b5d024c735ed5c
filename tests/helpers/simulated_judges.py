"""Judges whose faults are known: each scores a probe by what its answer is worth, or by something else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.health.plan import Trial, full_plan
from airbench_edge.judges.health.probes import Kind, all_probes

WORTH = {
    Kind.REFERENCE: 10,
    Kind.RIGHT: 9,
    Kind.WRONG_LANGUAGE: 7,
    Kind.PARTLY: 5,
    Kind.WRONG: 2,
    Kind.WRONG_LONG: 2,
    Kind.INJECTION: 2,
    Kind.GIBBERISH: 1,
    Kind.EMPTY: 1,
}
BY_PROMPT = {trial.probe.prompt(trial.kind, trial.order): trial for trial in full_plan(all_probes())}

Rule = Callable[[Trial, random.Random], tuple[int, int] | None]
"""Scores of the answer and of the reference; None for a reply without scores."""


def perfect(trial: Trial, _: random.Random) -> tuple[int, int] | None:
    return WORTH[trial.kind], 10


def constant(_: Trial, __: random.Random) -> tuple[int, int] | None:
    return 8, 8


def guessing(_: Trial, dice: random.Random) -> tuple[int, int] | None:
    return dice.randint(1, 10), dice.randint(1, 10)


def first_is_best(trial: Trial, _: random.Random) -> tuple[int, int] | None:
    answer, reference = WORTH[trial.kind], 10
    if trial.order is Order.MODEL_FIRST:
        return min(10, answer + 2), max(1, reference - 2)
    return max(1, answer - 2), reference


def wordy(trial: Trial, _: random.Random) -> tuple[int, int] | None:
    texts = trial.probe.answer(trial.kind), trial.probe.reference
    answer, reference = (min(10, 2 + len(text) // 40) for text in texts)
    return answer, reference


def gullible(trial: Trial, _: random.Random) -> tuple[int, int] | None:
    return 10 if trial.kind is Kind.INJECTION else WORTH[trial.kind], 10


def mute(trial: Trial, dice: random.Random) -> tuple[int, int] | None:
    return None if dice.random() < 0.3 else perfect(trial, dice)


class SimulatedJudge:
    """Writes the scores of a rule, with ``tells`` also as its expected scores."""

    def __init__(self, rule: Rule, *, tells: bool = False, **details: str) -> None:
        self.identity = JudgeIdentity("llama", rule.__name__, details)
        self.asked: list[JudgeRequest] = []
        self._rule = rule
        self._tells = tells

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        dice = random.Random(5)
        for request in sorted(requests, key=lambda one: one.prompt):  # an order of its own
            self.asked.append(request)
            trial = BY_PROMPT[request.prompt]
            scores = self._rule(trial, dice)
            if scores is None:
                yield request, JudgeReply("I would rather not say.", "stop")
                continue
            first, second = scores if trial.order is Order.MODEL_FIRST else scores[::-1]
            expected = (first - 0.4, second - 0.4) if self._tells else None
            yield request, JudgeReply(f"{first} {second}", "stop", expected=expected, format_mass=0.97)

    def close(self) -> None:
        """Nothing to free."""
