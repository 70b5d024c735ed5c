"""What a person sees while a run works: bars on a terminal, a plain line now and then in a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from airbench_edge.report.terminal.console import literal
from airbench_edge.run.progress import Outcome, Stage, Step

_LINES = 20
"""Plain lines of one stage, at most: enough to see it move, few enough for a log."""

_QUIET_S = 5.0

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
    scores: list[float] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Count one step."""
        self.done += 1
        self.here += 1
        self.audio_s += step.audio_s
        self.outcomes[step.outcome] += 1
        if step.score is not None:
            self.scores.append(step.score)

    def words(self) -> str:
        """Accuracy or score so far, what went wrong, and the speed."""
        seconds = max(time.monotonic() - self.began, 1e-9)
        right, lettered = self.outcomes[Outcome.RIGHT], self.outcomes[Outcome.RIGHT] + self.outcomes[Outcome.WRONG]
        parts = []
        if lettered:
            parts.append(f"{right / (lettered + self.outcomes[Outcome.UNDECIDED]):.0%} right")
        if self.scores:
            parts.append(f"score {sum(self.scores) / len(self.scores):.2f}")
        parts += [
            f"{self.outcomes[outcome]} {outcome}"
            for outcome in (Outcome.UNDECIDED, Outcome.FAILED)
            if self.outcomes[outcome]
        ]
        rate = self.here / seconds
        parts.append(f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute")
        if self.audio_s:
            parts.append(f"{self.audio_s / seconds:.0f}x real time")
        return ", ".join(parts)


class LiveProgress:
    """Implements ``run.progress.Progress`` on standard error; a context manager, so that the terminal is left clean.

    Args:
        file: Where to write.
    """

    def __init__(self, file: TextIO = sys.stderr) -> None:
        self._console = Console(file=file, markup=False, highlight=False, emoji=False)
        self._file = file
        self._bars = Bars(
            *_columns(),
            console=self._console,
            disable=not self._console.is_terminal,
            refresh_per_second=4,
        )

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
        self._task = self._bars.add_task(_DOING[stage], total=total, completed=already, words="")
        self._say(f"{total - already} of {total} to do" if already < total else f"nothing left to do of {total}")

    def advanced(self, step: Step) -> None:
        """Move the bar, or say a line when it is time."""
        tally = self._tally
        tally.add(step)
        if self._console.is_terminal:
            self._bars.update(self._task, completed=tally.done, words=f"{tally.words()}  {literal(step.folder)}")
        elif tally.here * _LINES % max(tally.total, 1) < _LINES and time.monotonic() - self._said > _QUIET_S:
            self._said = time.monotonic()
            left = (tally.total - tally.done) * (self._said - tally.began) / tally.here
            self._say(f"{tally.done}/{tally.total}, {tally.words()}, {left:.0f} s left")

    def ended(self) -> None:
        """Leave the bar as it stands, or say the last line."""
        tally = self._tally
        if self._console.is_terminal:
            self._bars.update(self._task, words=tally.words() if tally.here else "nothing was left to do")
        elif tally.here:
            self._say(f"{tally.done}/{tally.total} done, {tally.words()}")

    def _say(self, words: str) -> None:
        if not self._console.is_terminal:
            print(f"{self._doing}: {words}", file=self._file, flush=True)


@contextmanager
def counting(doing: str, file: TextIO = sys.stderr) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that is only counted; the block is given a function of (done, total). Silent but on a terminal."""
    console = Console(file=file, markup=False, highlight=False, emoji=False)
    with Bars(*_columns(), console=console, disable=not console.is_terminal, transient=True) as bars:
        task = bars.add_task(doing, words="")
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _columns() -> tuple[ProgressColumn, ...]:
    return (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[words]}", markup=False, style="dim"),
    )
