"""What is missing from the figures, and what to do about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airbench_edge.benchmark.notes import Note, Severity
from airbench_edge.benchmark.records import State
from airbench_edge.benchmark.scores.counts import Counts
from airbench_edge.report.extent import verdicts_to_come
from airbench_edge.report.model import ChatReading, Gap, ReportModel, Sound
from airbench_edge.report.terminal.console import heading, literal
from airbench_edge.report.terminal.figures import number, plural

_EXAMPLES = 3


class Matter(NamedTuple):
    """One thing to know: what it is, where, and the remedy."""

    what: str
    where: tuple[str, ...] = ()
    remedy: str = ""


_STATES = {
    None: ("not answered yet", "The run is not finished: give the same command again and it goes on."),
    State.MISSING_AUDIO: (
        "without a clip",
        "Complete the data set (`airbench-edge data check` lists what is missing), then give the same command again.",
    ),
    State.UNDECODABLE_AUDIO: (
        "with a clip that cannot be decoded",
        "Fetch the clips again. The published set itself holds a few empty ones, which it is usual to leave out.",
    ),
    State.REFUSED_PATH: ("whose path leads out of the data set", "Correct the path in the metadata."),
    State.FAILED: (
        "on which the audio-LM failed",
        "Give the same command again to try them once more; strict counts them as not right.",
    ),
    State.NOT_RECORDED: ("without a recorded response", "Add their responses to the recorded file."),
}
_SEVERITIES = {
    Severity.SET_ASIDE: ("set aside: not among the items", "Correct them in the metadata."),
    Severity.REFUSED: ("refused: not among the items", "Correct their path in the metadata."),
    Severity.WARNING: ("to look at, though among the items", ""),
}


def print_gaps(console: Console, model: ReportModel) -> None:
    """Print everything that the figures do not cover; nothing where they cover all."""
    found = list(matters(model))
    if not found:
        return
    heading(console, "Worth knowing")
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(style="yellow", no_wrap=True)
    grid.add_column(overflow="fold")
    for matter in found:
        grid.add_row("•", Text(matter.what))
        for line in matter.where:
            grid.add_row("", Text(line, "dim"))
        if matter.remedy:
            grid.add_row("", Text(f"→ {matter.remedy}"))
    console.print(grid)


def matters(model: ReportModel) -> Iterator[Matter]:
    """Everything that the figures do not cover, and everything doubtful in what they do cover."""
    yield from _gap_matters(model.gaps)
    for judge in model.judges:
        yield from _verdict_matters(judge)
    yield from _note_matters(model.notes)
    for track, counts in (("foundation", model.foundation), ("chat", model.chat)):
        if counts:
            yield from _response_matters(track, counts)
    yield from _sound_matters(model.sound)
    if model.ignored:
        yield Matter(f"{plural(model.ignored, 'record')} in the run folder about items that are not planned, ignored")
    if model.chat and not model.judges:
        yield Matter("No judge has seen the chat responses.", (), "`airbench-edge judge` adds one to the run.")


def _gap_matters(gaps: Iterable[Gap]) -> Iterator[Matter]:
    by_state: defaultdict[State | None, list[Gap]] = defaultdict(list)
    for gap in gaps:
        by_state[gap.state].append(gap)
    for state, (what, remedy) in _STATES.items():
        if found := by_state.get(state):
            where = [
                (f"{gap.track}/{gap.folder}", f"{gap.path}: {gap.reason}" if gap.reason else gap.path) for gap in found
            ]
            yield Matter(f"{plural(len(found), 'item')} {what}", _places(where), remedy)


def _verdict_matters(judge: ChatReading) -> Iterator[Matter]:
    scores = judge.scores
    if left := sum(map(verdicts_to_come, (*scores.groups, *scores.others))):
        answered = sum(part.counts.answered for part in (*scores.groups, *scores.others))
        yield Matter(
            f"{number(left)} of {plural(2 * answered, 'verdict')} of {literal(judge.judge.name)} not given yet",
            (),
            "The judging is not finished: give the same command again and it goes on.",
        )


def _note_matters(notes: Iterable[Note]) -> Iterator[Matter]:
    by_severity: defaultdict[Severity, list[Note]] = defaultdict(list)
    for note in notes:
        by_severity[note.severity].append(note)
    for severity, (what, remedy) in _SEVERITIES.items():
        if found := by_severity.get(severity):
            where = [(f"{note.track}, {note.kind}", f"{note.place}: {note.message}") for note in found]
            yield Matter(f"{plural(len(found), 'metadata record')} {what}", _places(where), remedy)


def _response_matters(track: str, counts: Counts) -> Iterator[Matter]:
    if counts.empty:
        yield Matter(f"{plural(counts.empty, f'{track} response')} empty")
    if counts.truncated:
        yield Matter(f"{plural(counts.truncated, f'{track} response')} cut by the limit on new tokens")


def _sound_matters(sound: Sound) -> Iterator[Matter]:
    if sound.cut:
        lost = sound.duration_s - sound.heard_s
        yield Matter(
            f"{plural(sound.cut, 'item')} whose clip is longer than what the audio-LM hears: "
            f"{lost:,.0f} of {sound.duration_s:,.0f} seconds in all were not heard"
        )
    if sound.warnings:
        where = _shortened([f"{literal(warning)} ({count})" for warning, count in sound.warnings.items()])
        yield Matter("Clips that were repaired or are in doubt", where)


def _places(found: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """How many in each place, and the first few cases; the JSON report has them all."""
    counts = Counter(literal(place) for place, _ in found)
    places = ", ".join(f"{place} {number(count)}" for place, count in counts.items())
    return (f"In {places}.", *_shortened([literal(case) for _, case in found]))


def _shortened(cases: list[str]) -> tuple[str, ...]:
    rest = len(cases) - _EXAMPLES
    return (*cases[:_EXAMPLES], f"and {rest} more") if rest > 0 else tuple(cases)
