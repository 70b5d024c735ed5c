"""All requests of a stage by way of the Batch API, within the cap on spending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.openai.asking import Body
from airbench_edge.judges.openai.batch import MOST_REQUESTS, BatchDesk
from airbench_edge.judges.openai.direct import Direct
from airbench_edge.judges.openai.pace import Pace
from airbench_edge.judges.openai.pending import PendingBatches
from airbench_edge.judges.openai.retry import RequestFailed, call, told
from airbench_edge.judges.prices import BATCH_SHARE

T = TypeVar("T")

_ByKey = dict[str, list[JudgeRequest]]


class Batched:
    """Hands requests in as batches and yields their replies when a batch has ended.

    Args:
        direct: For the one request that is asked before anything is handed in.
        pending: Batches that are not collected yet.
        pace: Waits.
    """

    def __init__(self, direct: Direct, pending: PendingBatches, pace: Pace) -> None:
        self._direct = direct
        self._asking = direct.asking
        self._budget = direct.budget
        self._pending = pending
        self._pace = pace
        self._desk = BatchDesk(direct.client, direct.asking.server, pending, self._call, pace.sleep)

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Collect what killed commands handed in, ask one request directly, then hand in the rest.

        The direct one shows a wrong key, an unknown model or a refused parameter before a whole batch fails of it.

        Raises:
            InputError: Nothing further can succeed, or the cap on spending is reached.
        """
        todo: _ByKey = {}
        for request in requests:
            todo.setdefault(self._asking.key(request), []).append(request)
        for left in list(self._pending.of(self._asking.server, todo)):
            yield from self._taken(self._desk.collect(left), todo)
        if todo:
            key, same = next(iter(todo.items()))
            reply = self._direct.reply(same[0], self._pace)
            yield from ((request, reply) for request in todo.pop(key))
        while todo:
            bodies, reserved = self._affordable(todo)
            yield from self._taken(self._desk.collect(self._desk.hand_in(bodies)), todo, reserved)

    def _call(self, attempt: Callable[[], T]) -> T:
        try:
            return call(attempt, self._pace, self._direct.longest_wait_s)
        except RequestFailed as failed:
            raise InputError(
                f"The Batch API of {self._asking.server} failed ({failed}: {told(failed.__cause__)}): "
                "run the same command again, or judge without --batch."
            ) from failed

    def _affordable(self, todo: _ByKey) -> tuple[dict[str, Body], float]:
        """As many requests as one batch takes and the cap surely allows, and what was set aside for them.

        What a batch costs turns out far below what is set aside, so that the next one takes most of what is left.
        """
        bodies: dict[str, Body] = {}
        reserved = 0.0
        for key, (request, *_) in todo.items():
            most = BATCH_SHARE * self._budget.most(request.prompt)
            if len(bodies) == MOST_REQUESTS or (bodies and not self._budget.try_reserve(most)):
                break
            if not bodies:
                self._budget.reserve(most)
            bodies[key] = self._asking.body(request)
            reserved += most
        return bodies, reserved

    def _taken(
        self, replies: Iterable[tuple[str, JudgeReply]], todo: _ByKey, reserved: float = 0.0
    ) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Give each reply to its requests, and settle what all of them cost."""
        spent = 0.0
        for key, reply in replies:
            same = todo.pop(key, [])
            if same:
                spent += BATCH_SHARE * self._budget.cost(same[0].prompt, reply)
            yield from ((request, reply) for request in same)
        self._budget.settle(reserved, spent)
