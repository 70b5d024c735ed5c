"""Every item, one row each: what was asked, what was said, and what both rules and every judge make of it."""

from __future__ import annotations

from collections.abc import Iterator

from airbench_edge.benchmark.items import LETTERS, ChatItem, FoundationItem, Item, ItemKey
from airbench_edge.benchmark.records import Order
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.scores.ratings import OrderRating, Rating, rate
from airbench_edge.benchmark.tasks import chat_task, foundation_task
from airbench_edge.report.exports.csv_table import Value, csv_table
from airbench_edge.run.folder import Aligned, Judged, RunData

_ITEM = ("track", "uniq_id", "category", "task", "dataset", "path", "question")
_CHOICES = tuple(f"choice_{letter.lower()}" for letter in LETTERS)
_RESPONSE = ("state", "response", "finish", "reason", "duration_s", "heard_s", "warnings")
_MARK = ("official_letter", "official_right", "strict_letter", "strict_right", "strict_how")
_ORDER = ("reply", "official_model", "official_reference", "strict_model", "strict_reference", "unread")


def items_csv(run: RunData) -> str:
    """The table; columns of an aligner or a judge begin with the name of its file in the run folder.

    ``right`` is empty for an item without a response, and 0 for a response without a letter. ``strict_score`` is the
    mean of both orders.
    """
    rows = {item.key: {**_item(item), **_response(run, item)} for item in run.items}
    columns = [*_ITEM, *_CHOICES, "answer_gt", "right_letters", "meta_info", *_RESPONSE, *_MARK]
    marks = mark_responses([item for item in run.items if isinstance(item, FoundationItem)], run.responses)
    _add(rows, ((mark.item.key, _mark("", mark)) for mark in marks))
    for name, aligned in run.letters.items():
        columns += [f"{name}:{part}" for part in ("reply", *_MARK)]
        _add(rows, _aligned(name, aligned, marks))
    for name, judged in run.verdicts.items():
        columns += [f"{name}:{order}:{part}" for order in Order for part in _ORDER] + [f"{name}:strict_score"]
        _add(rows, _judged(name, judged, run))
    return csv_table(columns, rows.values())


def _add(rows: dict[ItemKey, dict[str, Value]], more: Iterator[tuple[ItemKey, dict[str, Value]]]) -> None:
    for key, cells in more:
        rows[key].update(cells)


def _item(item: Item) -> dict[str, Value]:
    task = foundation_task(item.task) if isinstance(item, FoundationItem) else chat_task(item.task)
    cells: dict[str, Value] = {
        "track": item.key.track.value,
        "uniq_id": item.uniq_id,
        "category": task.category if task else None,
        "task": item.task,
        "dataset": item.dataset,
        "path": item.path,
        "question": item.question,
        "answer_gt": item.answer_gt,
    }
    if isinstance(item, ChatItem):
        return {**cells, "meta_info": item.meta_info}
    return {**cells, **dict(zip(_CHOICES, item.choices, strict=True)), "right_letters": "".join(item.accepted)}


def _response(run: RunData, item: Item) -> dict[str, Value]:
    response = run.responses.get(item.key)
    if response is None:
        return {"state": "pending"}
    return {
        "state": response.state.value,
        "response": response.text,
        "finish": response.finish,
        "reason": response.reason,
        "duration_s": response.duration_s,
        "heard_s": response.heard_s,
        "warnings": "; ".join(response.warnings),
    }


def _mark(prefix: str, mark: Mark) -> dict[str, Value]:
    if mark.response is None or mark.response.text is None:
        return {}
    return {
        f"{prefix}official_letter": mark.official.letter,
        f"{prefix}official_right": mark.official_right,
        f"{prefix}strict_letter": mark.strict.letter,
        f"{prefix}strict_right": mark.strict_right,
        f"{prefix}strict_how": mark.strict.how,
    }


def _aligned(name: str, aligned: Aligned, marks: list[Mark]) -> Iterator[tuple[ItemKey, dict[str, Value]]]:
    for mark in align(marks, aligned.records):
        reply = aligned.records.get(mark.item.key)
        yield mark.item.key, {f"{name}:reply": reply.text if reply else None, **_mark(f"{name}:", mark)}


def _judged(name: str, judged: Judged, run: RunData) -> Iterator[tuple[ItemKey, dict[str, Value]]]:
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    for rating in rate(chat, run.responses, judged.records):
        cells: dict[str, Value] = {}
        for order, read in ((Order.REFERENCE_FIRST, rating.reference_first), (Order.MODEL_FIRST, rating.model_first)):
            if verdict := judged.records.get((rating.item.uniq_id, order)):
                cells[f"{name}:{order}:reply"] = verdict.text
            if read:
                cells.update({f"{name}:{order}:{part}": value for part, value in _order(read).items()})
        yield rating.item.key, {**cells, f"{name}:strict_score": _strict_score(rating)}


def _order(read: OrderRating) -> dict[str, Value]:
    return {
        "official_model": read.official.model if read.official else None,
        "official_reference": read.official.reference if read.official else None,
        "strict_model": read.strict.model if read.strict else None,
        "strict_reference": read.strict.reference if read.strict else None,
        "unread": None if read.strict else read.strict_why,
    }


def _strict_score(rating: Rating) -> float | None:
    both = rating.both_strict
    return (both[0].model + both[1].model) / 2 if both else None
