"""What a person sees while a run works: bars on a terminal, a plain line now and then in a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TextIO

import psutil
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bars
from rich.table import Column
from rich.text import Text

from airbench_edge.report.terminal.console import literal
from airbench_edge.run.progress import Outcome, Stage, Step

_LINES = 20
"""Plain lines of one stage, at most: enough to see it move, few enough for a log."""

_QUIET_S = 5.0

_REDRAW_S = 0.1
"""Recorded responses come by the thousand in a second; nobody reads as fast."""

_DOING = {Stage.ANSWER: "answering", Stage.ALIGN: "aligning", Stage.JUDGE: "judging"}


@dataclass
class Tally:
    """Running counts of one stage."""

    total: int
    done: int
    began: float = field(default_factory=time.monotonic)
    here: int = 0
    audio_s: float = 0.0
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    scored: int = 0
    score_sum: float = 0.0

    def add(self, step: Step) -> None:
        """Count one step."""
        self.done += 1
        self.here += 1
        self.audio_s += step.audio_s
        self.outcomes[step.outcome] += 1
        if step.score is not None:
            self.scored += 1
            self.score_sum += step.score

    def words(self) -> str:
        """Accuracy or score so far, what went wrong, the speed, and the memory of this process.

        What earlier commands did is in the count alone.
        """
        seconds = max(time.monotonic() - self.began, 1e-9)
        right, lettered = self.outcomes[Outcome.RIGHT], self.outcomes[Outcome.RIGHT] + self.outcomes[Outcome.WRONG]
        parts = []
        if lettered:
            parts.append(f"{right / (lettered + self.outcomes[Outcome.UNDECIDED]):.0%} right")
        if self.scored:
            parts.append(f"score {self.score_sum / self.scored:.2f}")
        parts += [
            f"{self.outcomes[outcome]} {outcome}"
            for outcome in (Outcome.UNDECIDED, Outcome.FAILED)
            if self.outcomes[outcome]
        ]
        if parts and self.done > self.here:
            parts = [f"{', '.join(parts)} of the {self.here} new"]
        rate = self.here / seconds
        parts.append(f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute")
        if self.audio_s:
            parts.append(f"{self.audio_s / seconds:.0f}x real time")
        return ", ".join([*parts, memory()])


class LiveProgress:
    """Implements ``run.progress.Progress`` on standard error; a context manager, so that the terminal is left clean.

    Args:
        file: Where to write.
    """

    def __init__(self, file: TextIO = sys.stderr) -> None:
        self._console = Console(file=file, markup=False, highlight=False, emoji=False)
        self._file = file
        self._lively = _lively(self._console)
        self._bars = _Stages(*_columns(), console=self._console, disable=not self._lively, refresh_per_second=4)

    def __enter__(self) -> LiveProgress:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bars.stop()

    def started(self, stage: Stage, name: str, total: int, already: int) -> None:
        """Show a new bar, or say what begins."""
        self._doing = f"{_DOING[stage]} {literal(name)}"
        self._tally = Tally(total, already)
        self._said = time.monotonic()
        self._task = self._bars.add_task(self._doing, total=total, completed=already, words="", folder="")
        self._say(f"{total - already} of {total} to do" if already < total else f"nothing left to do of {total}")

    def advanced(self, step: Step) -> None:
        """Move the bar, or say a line when it is time."""
        tally = self._tally
        tally.add(step)
        if self._lively:
            if time.monotonic() - self._said > _REDRAW_S:
                self._said = time.monotonic()
                folder = f"in {literal(step.folder)}"
                self._bars.update(self._task, completed=tally.done, words=tally.words(), folder=folder)
        elif tally.here * _LINES % max(tally.total, 1) < _LINES and time.monotonic() - self._said > _QUIET_S:
            self._said = time.monotonic()
            left = (tally.total - tally.done) * (self._said - tally.began) / tally.here
            self._say(f"{tally.done}/{tally.total}, {tally.words()}, {clock(left)} left")

    def ended(self) -> None:
        """Leave the bar as it stands, or say the last line."""
        tally = self._tally
        if self._lively:
            words = tally.words() if tally.here else "nothing was left to do"
            self._bars.update(self._task, completed=tally.done, words=words, folder="")
        elif tally.here:
            self._say(f"{tally.done}/{tally.total} done, {tally.words()}")

    def _say(self, words: str) -> None:
        if not self._lively:
            print(f"{self._doing}: {words}", file=self._file, flush=True)


class _Stages(Bars):
    """Under the bar of each stage a line that says how it goes and, while it goes, one that says where."""

    def get_renderables(self) -> Iterable[RenderableType]:
        for task in self.tasks:
            yield self.make_tasks_table([task])
            for words in (task.fields["words"], task.fields["folder"]):
                if words:
                    yield Text(f"  {words}", "dim", no_wrap=True, overflow="ellipsis")


class _Left(ProgressColumn):
    """The time that is left by the speed of late, or, at the end, what the stage took."""

    def render(self, task: Task) -> Text:
        if task.finished_time is not None:
            return Text(f"took {clock(task.finished_time)}", "dim")
        return Text("" if task.time_remaining is None else f"{clock(task.time_remaining)} left")


@contextmanager
def counting(doing: str, file: TextIO = sys.stderr) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that is only counted; the block is given a function of (done, total). Silent but on a terminal."""
    console = Console(file=file, markup=False, highlight=False, emoji=False)
    with Bars(*_columns(), console=console, disable=not _lively(console), transient=True) as bars:
        task = bars.add_task(doing, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def clock(seconds: float) -> str:
    """``0:07``, ``12:30`` or ``3:05:00``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def memory() -> str:
    """What this process holds in memory, as ``1.4 GB``."""
    return f"{psutil.Process().memory_info().rss / 1e9:.1f} GB"


def _lively(console: Console) -> bool:
    """Whether lines can be drawn anew."""
    return console.is_terminal and not console.is_dumb_terminal


def _columns() -> tuple[ProgressColumn, ...]:
    """A name may take half of a terminal of 80 columns, so that bar and counts stay whole beside it."""
    name = Column(no_wrap=True, overflow="ellipsis", max_width=38)
    return (
        TextColumn("{task.description}", markup=False, table_column=name),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        _Left(Column(no_wrap=True)),
    )
