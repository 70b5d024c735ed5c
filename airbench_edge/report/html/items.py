"""The items of a run, read under both rules, as columns for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, ItemKey
from airbench_edge.benchmark.records import Response
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.tasks import chat_task, foundation_task
from airbench_edge.report.html.columns import ItemColumns, LetterColumns, LetterSource, PageData
from airbench_edge.report.html.texts import Texts
from airbench_edge.report.html.verdicts import judge_source, spreads
from airbench_edge.run.folder import Aligned, RunData

PENDING = "pending"


def page_data(run: RunData, clips: Mapping[ItemKey, str]) -> PageData:
    """Put all items into columns.

    Args:
        run: The run.
        clips: Item to the place of its sound, where it has one.
    """
    texts = Texts()
    foundation = [item for item in run.items if isinstance(item, FoundationItem)]
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    marks = mark_responses(foundation, run.responses)
    letters = [_letters(marks, None, texts)]
    letters += [_letters(align(marks, aligned.records), aligned, texts) for aligned in run.letters.values()]
    judges = [judge_source(judged, chat, run.responses, texts) for judged in run.verdicts.values()]
    items = _items(foundation, chat, run.responses, clips, spreads(judges), texts)
    return PageData(texts.all(), items, letters, judges)


def task_label(item: Item) -> str:
    """Name of the item's task for people."""
    if isinstance(item, FoundationItem):
        known = foundation_task(item.task)
        return known.label if known else item.task
    if not chat_task(item.task):
        return item.task
    words = item.task.replace("_", " ")
    return words[0].upper() + words[1:]


def _items(
    foundation: Sequence[FoundationItem],
    chat: Sequence[ChatItem],
    responses: Mapping[ItemKey, Response],
    clips: Mapping[ItemKey, str],
    spread: list[float | None],
    texts: Texts,
) -> ItemColumns:
    items: list[Item] = [*foundation, *chat]
    given = [responses.get(item.key) for item in items]
    return ItemColumns(
        id=[str(item.uniq_id) for item in items],
        task=[texts(item.task) for item in items],
        label=[texts(task_label(item)) for item in items],
        dataset=[texts(item.dataset) for item in items],
        path=[texts(item.path) for item in items],
        question=[texts(item.question) for item in items],
        state=[texts(response.state if response else PENDING) for response in given],
        response=[texts.maybe(response.text) if response else None for response in given],
        finish=[texts(response.finish if response else "") for response in given],
        duration=[response.duration_s if response else None for response in given],
        heard=[response.heard_s if response else None for response in given],
        reason={place: texts(answer.reason) for place, answer in enumerate(given) if answer and answer.reason},
        warnings={
            place: [texts(warning) for warning in answer.warnings]
            for place, answer in enumerate(given)
            if answer and answer.warnings
        },
        choices=[[texts.maybe(choice) for choice in item.choices] for item in foundation],
        right=["".join(item.accepted) for item in foundation],
        reference=[texts(item.answer_gt) for item in chat],
        meta=[texts(item.meta_info) for item in chat],
        spread=spread or [None] * len(chat),
        clip={place: clips[item.key] for place, item in enumerate(items) if item.key in clips},
    )


def _letters(marks: Sequence[Mark], aligned: Aligned | None, texts: Texts) -> LetterSource:
    replies: dict[int, int] = {}
    failures: dict[int, int] = {}
    for place, mark in enumerate(marks if aligned else ()):
        if aligned and (record := aligned.records.get(mark.item.key)):
            if record.text is None:
                failures[place] = texts(record.failure)
            else:
                replies[place] = texts(record.text)
    return LetterSource(
        name=aligned.identity.name if aligned else "",
        official=LetterColumns(
            "".join(mark.official.letter or "-" for mark in marks),
            "".join(_result(mark, mark.official.letter, mark.official_right) for mark in marks),
            [texts(mark.official.how) for mark in marks],
        ),
        strict=LetterColumns(
            "".join(mark.strict.letter or "-" for mark in marks),
            "".join(_result(mark, mark.strict.letter, mark.strict_right) for mark in marks),
            [texts(mark.strict.how) for mark in marks],
        ),
        replies=replies,
        failures=failures,
    )


def _result(mark: Mark, letter: str | None, right: bool) -> str:
    if mark.response is None or mark.response.text is None:
        return "n"
    if letter is None:
        return "u"
    return "r" if right else "w"
