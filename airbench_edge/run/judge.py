"""The last stage: a judge compares every chat response with its reference, in both orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import msgspec

from airbench_edge.benchmark.items import ChatItem, Track
from airbench_edge.benchmark.prompts import JudgePrompt, judge_prompt
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.judges.contract import Judge, JudgeReply, JudgeRequest
from airbench_edge.run.folder import VERDICTS
from airbench_edge.run.journal import Journal
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.progress import Outcome, Progress, Silent, Stage, Step
from airbench_edge.run.selection import spread
from airbench_edge.run.sheet import is_settled, open_sheet
from airbench_edge.run.stage import Summary, watched_together


def judge_chat(
    run: OpenRun, judge: Judge, limit: int | None = None, progress: Progress | None = None, retries: int = 0
) -> Summary:
    """Ask for the two verdicts of every answered chat item that this very judge has not given yet.

    Items without a response are not asked about; an empty response is one like any other. With ``retries`` a reply in
    which the strict rule finds no verdict is asked for again; the released script takes the one sample that it got.

    Args:
        run: The run, open for writing.
        judge: The judge.
        limit: Most items to judge, spread over the folders by the seed of the run; None for all.
        progress: Who watches.
        retries: How often a reply that cannot be read is asked for again.

    Raises:
        InputError: The judge cannot go on, or the run folder is damaged or cannot be written.
    """
    return judge_together([run], judge, limit, progress, retries)[0]


def judge_together(
    runs: Sequence[OpenRun],
    judge: Judge,
    limit: int | None = None,
    progress: Progress | None = None,
    retries: int = 0,
) -> list[Summary]:
    """The same for several runs, whose requests go to the judge together, so that what they share is worked out once.

    Each gets the verdicts that it would get alone. What is the very same request in several runs is asked once.

    Raises:
        InputError: As for one run.
    """
    with ExitStack() as stack:
        desks = [_Desk(run, judge, limit, retries, stack) for run in runs]
        todo: dict[JudgeRequest, list[int]] = {}
        for place, desk in enumerate(desks):
            for request in desk.requests(judge.identity.prompt):
                todo.setdefault(request, []).append(place)
        folders, summaries = [run.path for run in runs], [desk.summary for desk in desks]
        took = stack.enter_context(
            watched_together(folders, Stage.JUDGE, desks[0].name, summaries, progress or Silent())
        )
        while todo:
            again: dict[JudgeRequest, list[int]] = {}
            for request, reply in judge.replies(list(todo)):
                for place in todo[request]:
                    desk = desks[place]
                    verdict, is_new = desk.write(request, reply)
                    if _next_attempt(verdict, retries):
                        repeated = msgspec.structs.replace(request, attempt=verdict.attempts)
                        again.setdefault(repeated, []).append(place)
                    else:
                        took(place, _step(desk.items[request.uniq_id], verdict), is_new)
            todo = again
    return summaries


class _Desk:
    """One run before one judge.

    Attributes:
        name: Name of the verdict file.
        items: The items to judge by id.
        summary: What is done so far.
    """

    def __init__(self, run: OpenRun, judge: Judge, limit: int | None, retries: int, stack: ExitStack) -> None:
        chosen = spread(run.chat, limit, run.manifest.selection.seed)
        self.items = {item.uniq_id: item for item in chosen}
        sheet = open_sheet(run.path / VERDICTS, judge.identity, self.items, [item.uniq_id for item in run.chat])
        texts = run.texts()
        self.name = sheet.stem
        self._retries = retries
        self._journal = stack.enter_context(Journal(sheet, Verdict))
        self._stored = {verdict.key: verdict for verdict in self._journal.records}
        self._asked = [(item, texts[item.key], order) for item in chosen if item.key in texts for order in Order]
        already = sum(self._attempt(item, order) is None for item, _, order in self._asked)
        self.summary = Summary(planned=len(self._asked), already=already)

    def requests(self, prompt: JudgePrompt) -> Iterator[JudgeRequest]:
        """What is left to ask."""
        for item, text, order in self._asked:
            if (attempt := self._attempt(item, order)) is not None:
                yield JudgeRequest(item.uniq_id, order, judge_prompt(item, text, order, prompt), attempt=attempt)

    def write(self, request: JudgeRequest, reply: JudgeReply) -> tuple[Verdict, bool]:
        """Keep a reply; gives the verdict and whether it is news."""
        before = self._stored.get((request.uniq_id, _order(request)))
        verdict = _verdict(request, reply, before)
        if verdict != before:
            self._journal.append(verdict)
            self._stored[verdict.key] = verdict
        return verdict, verdict != before

    def _attempt(self, item: ChatItem, order: Order) -> int | None:
        return _next_attempt(self._stored.get((item.uniq_id, order)), self._retries)


def _next_attempt(verdict: Verdict | None, retries: int) -> int | None:
    """How many unreadable replies came before the next request; None where nothing is left to ask."""
    if not is_settled(verdict):
        return 0
    assert verdict is not None, "settled"
    return verdict.attempts if _is_unread(verdict) and verdict.attempts <= retries else None


def _is_unread(verdict: Verdict) -> bool:
    return verdict.text is not None and read_verdict("strict", verdict.text, verdict.finish).scores is None


def _order(request: JudgeRequest) -> Order:
    assert request.order is not None, "every request of this stage has an order"
    return request.order


def _verdict(request: JudgeRequest, reply: JudgeReply, before: Verdict | None) -> Verdict:
    """The record of a reply; tokens of earlier attempts were paid for too."""
    verdict = Verdict(request.uniq_id, _order(request), **msgspec.structs.asdict(reply))
    if not request.attempt or before is None:
        return verdict
    return msgspec.structs.replace(
        verdict,
        attempts=request.attempt + 1,
        prompt_tokens=before.prompt_tokens + reply.prompt_tokens,
        completion_tokens=before.completion_tokens + reply.completion_tokens,
    )


def _step(item: ChatItem, verdict: Verdict) -> Step:
    if verdict.text is None:
        return Step(Track.CHAT, item.folder, Outcome.FAILED)
    scores = read_verdict("strict", verdict.text, verdict.finish).scores
    if scores is None:
        return Step(Track.CHAT, item.folder, Outcome.UNDECIDED)
    return Step(Track.CHAT, item.folder, Outcome.DONE, score=scores[verdict.order is Order.REFERENCE_FIRST])
