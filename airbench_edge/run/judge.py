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


def judge_chat(run: OpenRun, judge: Judge, limit: int | None = None, progress: Progress | None = None) -> Summary:
    """Ask for the two verdicts of every answered chat item that this very judge has not given yet.

    Items without a response are not asked about; an empty response is one like any other.

    Args:
        run: The run, open for writing.
        judge: The judge.
        limit: Most items to judge, spread over the folders by the seed of the run; None for all.
        progress: Who watches.

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
            JudgeRequest(item.uniq_id, order, judge_prompt(item, text, order))
            for item, text, order in asked
            if not is_settled(stored.get((item.uniq_id, order)))
        ]
        summary = Summary(planned=len(asked), already=len(asked) - len(todo))
        with watched(run.path, Stage.JUDGE, sheet.stem, summary, progress or Silent()) as took:
            for request, reply in judge.replies(todo):
                verdict = _verdict(request, reply)
                is_new = verdict != stored.get(verdict.key)
                if is_new:
                    journal.append(verdict)
                took(_step(items[request.uniq_id], verdict), is_new)
    return summary


def _verdict(request: JudgeRequest, reply: JudgeReply) -> Verdict:
    assert request.order is not None, "every request of this stage has an order"
    return Verdict(request.uniq_id, request.order, **msgspec.structs.asdict(reply))


def _step(item: ChatItem, verdict: Verdict) -> Step:
    if verdict.text is None:
        return Step(Track.CHAT, item.folder, Outcome.FAILED)
    scores = read_verdict("strict", verdict.text, verdict.finish).scores
    if scores is None:
        return Step(Track.CHAT, item.folder, Outcome.UNDECIDED)
    return Step(Track.CHAT, item.folder, Outcome.DONE, score=scores[verdict.order is Order.REFERENCE_FIRST])
