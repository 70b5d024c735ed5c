"""A random sample of the chat items for a judge that costs money, as large as the money allows."""

from __future__ import annotations

from airbench_edge.benchmark.items import UniqId
from airbench_edge.judges.contract import Judge, SpendingCapReached
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.progress import Progress
from airbench_edge.run.selection import spread

_STEP = 20


def judge_sample(run: OpenRun, judge: Judge, items: int, progress: Progress, capped: bool = False) -> list[UniqId]:
    """Judge items drawn evenly over the folders by the seed of the run.

    A judge that is stopped by its spending cap leaves a sample that is not random: what it was asked first. A capped
    judge is therefore asked in small steps, each of which is a random sample with those before it, and the last step
    that it finished counts.

    Args:
        run: The run, open for writing.
        judge: The judge.
        items: How many items at most.
        progress: Who watches.
        capped: Whether the judge has a spending cap.

    Returns:
        Ids of the items of the sample.

    Raises:
        InputError: The judge cannot go on, or has not finished a single step.
    """
    finished: list[UniqId] = []
    total = min(items, len(run.chat))
    sizes = [*range(_STEP, total, _STEP), total] if capped else [total]
    for size in sizes:
        try:
            judge_chat(run, judge, size, progress)
        except SpendingCapReached:
            if not finished:
                raise
            break
        finished = [item.uniq_id for item in spread(run.chat, size, run.manifest.selection.seed)]
    return finished
