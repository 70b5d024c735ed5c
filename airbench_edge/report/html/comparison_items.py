"""The items that came out otherwise, as columns for the page of a comparison; ``assets/comparison.js`` reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, ItemKey
from airbench_edge.report.compare.model import Comparison, ComparisonModel, Moved, Section
from airbench_edge.report.compare.words import result, unit
from airbench_edge.report.html.items import task_label
from airbench_edge.report.html.texts import Texts
from airbench_edge.run.folder import RunData


class Change(NamedTuple):
    """An item of a section, with the place of the section among all of the page."""

    section: int
    part: Section
    moved: Moved
    item: Item


class SectionSource(msgspec.Struct, frozen=True):
    """A track of one run beside the first run, as one instrument sees it.

    Attributes:
        track: The track.
        first: Folder and model of the first run.
        second: The same of the other one.
        unit: What its figures are.
    """

    track: str
    first: tuple[str, str]
    second: tuple[str, str]
    unit: str


class ChangeColumns(msgspec.Struct, frozen=True):
    """One list for each property, an entry an item; texts by their number.

    Attributes:
        first: 1, 0 or the score in the first run.
        first_result: The same in a word.
        first_read: The letter, or both scores.
        choices: Options A to D of a foundation item; None for a chat item.
        right: Its right letters.
        reference: Reference answer of a chat item.
        meta: Its ``meta_info``.
    """

    section: list[int]
    id: list[str]
    task: list[int]
    label: list[int]
    dataset: list[int]
    source: list[int]
    question: list[int]
    first: list[float]
    second: list[float]
    first_result: list[int]
    second_result: list[int]
    first_read: list[int]
    second_read: list[int]
    first_response: list[int]
    second_response: list[int]
    choices: list[list[int | None] | None]
    right: list[str]
    reference: list[int | None]
    meta: list[int | None]


class ComparisonData(msgspec.Struct, frozen=True):
    """Everything that the item table shows."""

    texts: list[str]
    sections: list[SectionSource]
    items: ChangeColumns


def comparison_data(first: RunData, model: ComparisonModel) -> ComparisonData:
    """Put the items of all sections into columns, in the order of the model.

    Args:
        first: The first run: the comparison does not hold the options and the reference answers.
        model: The comparison.
    """
    texts = Texts()
    columns = _columns(list(changes(first, model)), texts)
    sections = [_source(model, other, section) for other in model.others for section in other.sections]
    return ComparisonData(texts.all(), sections, columns)


def changes(first: RunData, model: ComparisonModel) -> Iterator[Change]:
    """Every item that came out otherwise, section by section."""
    items = {item.key: item for item in first.items}
    parts = [section for other in model.others for section in other.sections]
    for place, part in enumerate(parts):
        for moved in part.moved:
            yield Change(place, part, moved, items[ItemKey(part.track, moved.uniq_id)])


def _source(model: ComparisonModel, other: Comparison, section: Section) -> SectionSource:
    first, second = ((side.path, side.audiolm.name) for side in (model.first, other.second))
    return SectionSource(section.track, first, second, unit(section))


def _columns(found: list[Change], texts: Texts) -> ChangeColumns:
    foundation = [change.item if isinstance(change.item, FoundationItem) else None for change in found]
    chat = [change.item if isinstance(change.item, ChatItem) else None for change in found]
    moved = [change.moved for change in found]
    both = list(zip(found, moved, strict=True))
    return ChangeColumns(
        section=[change.section for change in found],
        id=[str(item.uniq_id) for item in moved],
        task=[texts(item.task) for item in moved],
        label=[texts(task_label(change.item)) for change in found],
        dataset=[texts(change.item.dataset) for change in found],
        source=[texts(f"{item.folder} · {item.path}") for item in moved],
        question=[texts(item.question) for item in moved],
        first=[item.first for item in moved],
        second=[item.second for item in moved],
        first_result=[texts(result(change.part.track, one.first, one.first_read)) for change, one in both],
        second_result=[texts(result(change.part.track, one.second, one.second_read)) for change, one in both],
        first_read=[texts(item.first_read) for item in moved],
        second_read=[texts(item.second_read) for item in moved],
        first_response=[texts(item.first_response) for item in moved],
        second_response=[texts(item.second_response) for item in moved],
        choices=[[texts.maybe(choice) for choice in item.choices] if item else None for item in foundation],
        right=["".join(item.accepted) if item else "" for item in foundation],
        reference=[texts(item.answer_gt) if item else None for item in chat],
        meta=[texts(item.meta_info) if item else None for item in chat],
    )
