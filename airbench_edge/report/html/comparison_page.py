"""The page of a comparison: the changes of every run beside the first one, and the items that came out otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from airbench_edge.benchmark.items import Track
from airbench_edge.report.compare.model import ComparisonModel, Section, Side
from airbench_edge.report.compare.words import unit
from airbench_edge.report.html.comparison_items import changes, comparison_data
from airbench_edge.report.html.comparison_rows import ChangeRow, change_remarks, change_rows, change_scale
from airbench_edge.report.html.inline import script_json
from airbench_edge.report.html.items import task_label
from airbench_edge.report.html.strip import Scale
from airbench_edge.report.html.template import fixed_parts, template
from airbench_edge.run.folder import RunData


class Panel(NamedTuple):
    """A section with what the page draws of it.

    Attributes:
        number: Its place among all sections of the page.
        section: Its figures.
        unit: What they are.
        scale: Ends of its chart.
        rows: Lines of its table; the last is the average.
        remarks: What belongs below.
    """

    number: int
    section: Section
    unit: str
    scale: Scale
    rows: list[ChangeRow]
    remarks: list[str]


class TaskChoice(NamedTuple):
    """One entry of the task filter."""

    section: int
    group: str
    task: str
    label: str
    items: int


def comparison_parts(first: RunData, model: ComparisonModel) -> Iterator[str]:
    """Give the page piece by piece.

    Args:
        first: The run that the others are compared with.
        model: The comparison.
    """
    sections = [section for other in model.others for section in other.sections]
    panels = [_panel(number, section) for number, section in enumerate(sections)]
    given = iter(panels)
    return template("comparison.html").generate(
        **fixed_parts("table.js", "comparison.js"),
        model=model,
        runs=[(other, [next(given) for _ in other.sections]) for other in model.others],
        names=_names(model),
        tasks=_task_choices(first, model),
        lettered=any(section.track is Track.FOUNDATION for section in sections),
        data=script_json(comparison_data(first, model)),
    )


def _panel(number: int, section: Section) -> Panel:
    scale = change_scale(section)
    return Panel(number, section, unit(section), scale, change_rows(section, scale), change_remarks(section))


def _names(model: ComparisonModel) -> list[str]:
    """What the runs are called: by their model, or by their folder where two of them have the same one."""
    sides: list[Side] = [model.first, *(other.second for other in model.others)]
    models = [side.audiolm.name for side in sides]
    return models if len(set(models)) == len(models) else [side.path for side in sides]


def _task_choices(first: RunData, model: ComparisonModel) -> list[TaskChoice]:
    counts = Counter((change.section, change.item.task, task_label(change.item)) for change in changes(first, model))
    groups = [
        f"{other.second.path}: {section.track}, {unit(section)}" for other in model.others for section in other.sections
    ]
    return [TaskChoice(place, groups[place], task, label, items) for (place, task, label), items in counts.items()]
