"""The stage between: a language model names the letter that a foundation response chose, where a rule cannot tell."""

from __future__ import annotations

from enum import StrEnum

from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.benchmark.letters import read_letter
from airbench_edge.benchmark.prompts import alignment_prompt
from airbench_edge.benchmark.records import AlignedLetter
from airbench_edge.judges.contract import Judge, JudgeRequest
from airbench_edge.run.folder import LETTERS
from airbench_edge.run.journal import Journal
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.progress import Progress, Silent, Stage, Step, letter_outcome
from airbench_edge.run.sheet import is_settled, open_sheet
from airbench_edge.run.stage import Summary, watched


class AlignWhich(StrEnum):
    """Which responses are aligned.

    ``undecided``: those in which the strict rule finds no letter. ``all``: every response, as the paper did.
    """

    UNDECIDED = "undecided"
    ALL = "all"


def align(run: OpenRun, aligner: Judge, which: AlignWhich, progress: Progress | None = None) -> Summary:
    """Ask for the letter of every response that this very aligner has not been asked about yet.

    Raises:
        InputError: The aligner cannot go on, or the run folder is damaged or cannot be written.
    """
    texts = run.texts()
    asked = [item for item in run.foundation if item.key in texts and _is_asked(item, texts[item.key], which)]
    items = {item.uniq_id: item for item in asked}
    sheet = open_sheet(run.path / LETTERS, aligner.identity, items, [item.uniq_id for item in run.foundation])
    with Journal(sheet, AlignedLetter) as journal:
        stored = {letter.key: letter for letter in journal.records}
        todo = [
            JudgeRequest(item.uniq_id, None, alignment_prompt(item, texts[item.key]), tuple(item.options))
            for item in asked
            if not is_settled(stored.get(item.key))
        ]
        summary = Summary(planned=len(asked), already=len(asked) - len(todo))
        with watched(run.path, Stage.ALIGN, sheet.stem, summary, progress or Silent()) as took:
            for request, reply in aligner.replies(todo):
                letter = AlignedLetter(request.uniq_id, reply.text, reply.failure)
                is_new = letter != stored.get(letter.key)
                if is_new:
                    journal.append(letter)
                took(_step(items[request.uniq_id], letter), is_new)
    return summary


def _is_asked(item: FoundationItem, text: str, which: AlignWhich) -> bool:
    return which is AlignWhich.ALL or read_letter("strict", text, item.options).letter is None


def _step(item: FoundationItem, letter: AlignedLetter) -> Step:
    return Step(Track.FOUNDATION, item.folder, letter_outcome(item, letter.text))
