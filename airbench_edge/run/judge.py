"""The last stage: a judge compares every chat response with its reference, in both orders."""

from __future__ import annotations

import msgspec

from airbench_edge.benchmark.items import ChatItem, Track
from airbench_edge.benchmark.prompts import judge_prompt
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.judges.contract import Judge, JudgeReply, JudgeRequest
from airbench_edge.run.folder import VERDICTS
from airbench_edge.run.journal import Journal
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.progress import Outcome, Progress, Silent, Stage, Step
from airbench_edge.run.selection import spread
from airbench_edge.run.sheet import is_settled, open_sheet
from airbench_edge.run.stage import Summary, watched


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
    chosen = spread(run.chat, limit, run.manifest.selection.seed)
    items = {item.uniq_id: item for item in chosen}
    sheet = open_sheet(run.path / VERDICTS, judge.identity, items, [item.uniq_id for item in run.chat])
    texts = run.texts()
    with Journal(sheet, Verdict) as journal:
        stored = {verdict.key: verdict for verdict in journal.records}
        asked = [(item, texts[item.key], order) for item in chosen if item.key in texts for order in Order]
        todo = [
            JudgeRequest(item.uniq_id, order, judge_prompt(item, text, order, judge.identity.prompt), attempt=attempt)
            for item, text, order in asked
            if (attempt := _next_attempt(stored.get((item.uniq_id, order)), retries)) is not None
        ]
        summary = Summary(planned=len(asked), already=len(asked) - len(todo))
        with watched(run.path, Stage.JUDGE, sheet.stem, summary, progress or Silent()) as took:
            while todo:
                again = []
                for request, reply in judge.replies(todo):
                    before = stored.get((request.uniq_id, _order(request)))
                    verdict = _verdict(request, reply, before)
                    if verdict != before:
                        journal.append(verdict)
                    if _next_attempt(verdict, retries):
                        stored[verdict.key] = verdict
                        again.append(msgspec.structs.replace(request, attempt=verdict.attempts))
                    else:
                        took(_step(items[request.uniq_id], verdict), verdict != before)
                todo = again
    return summary


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
