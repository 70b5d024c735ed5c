"""The page: one template filled with the report, the items, and the one style and the one script of the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from airbench_edge.benchmark.items import Track
from airbench_edge.report.html import chat, foundation
from airbench_edge.report.html.columns import PageData
from airbench_edge.report.html.inline import script_json
from airbench_edge.report.html.items import page_data, task_label
from airbench_edge.report.html.published import published_tables
from airbench_edge.report.html.sounds import Sounds
from airbench_edge.report.html.strip import SCORES, SHARES
from airbench_edge.report.html.template import fixed_parts, template
from airbench_edge.report.model import FoundationReading, ReportModel
from airbench_edge.report.terminal.gaps import matters
from airbench_edge.report.terminal.header import identity_lines
from airbench_edge.run.folder import RunData


class TaskChoice(NamedTuple):
    """One entry of the task filter."""

    track: Track
    task: str
    label: str
    items: int


def page_parts(run: RunData, model: ReportModel, sounds: Sounds) -> Iterator[str]:
    """Give the page piece by piece, as embedded clips may make it large."""
    data = page_data(run, sounds.places)
    return template("page.html").generate(
        **fixed_parts("table.js", "report.js", media=sounds.media),
        model=model,
        data=script_json(data),
        clips=sounds.embedded(),
        foundation=[(reading, *_foundation(reading, model)) for reading in model.letters],
        chat=[(reading, list(chat.chat_rows(reading)), list(chat.chat_remarks(reading))) for reading in model.judges],
        published=published_tables(model),
        identity=list(identity_lines(model)),
        matters=list(matters(model)),
        tasks=_task_choices(run),
        states=_states(data),
        shares=SHARES,
        scores=SCORES,
    )


def _foundation(reading: FoundationReading, model: ReportModel) -> tuple[list[foundation.FoundationRow], list[str]]:
    rows = foundation.foundation_rows(reading, beside_published=not model.data.synthetic)
    return list(rows), list(foundation.foundation_remarks(reading))


def _task_choices(run: RunData) -> list[TaskChoice]:
    counts = Counter((item.key.track, item.task, task_label(item)) for item in run.items)
    return [TaskChoice(*task, items) for task, items in counts.items()]


def _states(data: PageData) -> dict[str, int]:
    """States of the items, most frequent first."""
    return {data.texts[state]: items for state, items in Counter(data.items.state).most_common()}
