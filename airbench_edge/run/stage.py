"""What the three stages have in common: somebody watches, the work is counted, and its time is noted."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from airbench_edge.run.machine import Timing, note_timing
from airbench_edge.run.progress import Outcome, Progress, Stage, Step


@dataclass
class Summary:
    """What one stage of one command did.

    Attributes:
        planned: Items, or verdicts, that the stage is about.
        already: Of these, done by earlier commands.
        done: Done now, failures included.
        failed: Of those done now, the ones without an answer or a reply.
        written: Of those done now, the ones that came out otherwise than the run already had them.
        audio_s: Seconds of sound that the model heard now.
    """

    planned: int
    already: int
    done: int = 0
    failed: int = 0
    written: int = 0
    audio_s: float = 0.0

    def add(self, step: Step, is_new: bool) -> None:
        """Count one step."""
        self.done += 1
        self.failed += step.outcome is Outcome.FAILED
        self.written += is_new
        self.audio_s += step.audio_s


@contextmanager
def watched(
    folder: Path, stage: Stage, name: str, summary: Summary, progress: Progress
) -> Iterator[Callable[[Step, bool], None]]:
    """Run a stage in the block; it calls what it is given with each step and whether that wrote something new.

    The time is noted and the watcher told of the end also when the stage is interrupted.
    """
    with watched_together([folder], stage, name, [summary], progress) as took:
        yield partial(took, 0)


@contextmanager
def watched_together(
    folders: Sequence[Path], stage: Stage, name: str, summaries: Sequence[Summary], progress: Progress
) -> Iterator[Callable[[int, Step, bool], None]]:
    """The same for several runs at once, each step with the place of its run; each is noted its share of the time."""
    started, clock = datetime.now(UTC), time.monotonic()

    def took(place: int, step: Step, is_new: bool) -> None:
        summaries[place].add(step, is_new)
        progress.advanced(step)

    planned, already = (
        sum(counts) for counts in zip(*((each.planned, each.already) for each in summaries), strict=True)
    )
    progress.started(stage, name, planned, already)
    try:
        yield took
    finally:
        progress.ended()
        begun = started.isoformat(timespec="seconds")
        seconds = (time.monotonic() - clock) / max(1, sum(each.done for each in summaries))
        for folder, each in zip(folders, summaries, strict=True):
            if each.written:
                share = round(seconds * each.done, 3)
                note_timing(folder, Timing(stage, name, platform.node(), begun, share, each.done, each.audio_s))
