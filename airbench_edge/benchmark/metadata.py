"""A metadata file of AIR-Bench to items and notes: nothing guessed, nothing lost, nothing read twice.

A file that cannot be read as a whole is refused (``MetadataError``). A record that cannot be used is set aside with a
note and the others go on, so that records = items + notes that are no warnings. Fields that are not known are left
alone; the real files have some.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from airbench_edge.benchmark.answer_key import read_key
from airbench_edge.benchmark.clip_path import item_escape, names_no_file
from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, Track, UniqId
from airbench_edge.benchmark.metadata_file import MetadataError, raw_records
from airbench_edge.benchmark.notes import Note, Problem, Severity, Unusable
from airbench_edge.benchmark.record_fields import Record, is_blank, required_text, scalar_text, type_name
from airbench_edge.benchmark.record_ids import given_id, number_records
from airbench_edge.benchmark.tasks import chat_task, foundation_task

__all__ = ["Metadata", "MetadataError", "parse_metadata"]

Say: TypeAlias = Callable[[Problem], None]

_CHOICES = ("choice_a", "choice_b", "choice_c", "choice_d")
_FURTHER_CHOICE = re.compile(r"choice_[e-z]")


class Metadata(msgspec.Struct, frozen=True):
    """The content of one metadata file; ``records`` counts its entries, usable or not."""

    items: tuple[Item, ...]
    notes: tuple[Note, ...]
    records: int


class _Entry(msgspec.Struct):
    """One entry of the file; ``item`` has no id yet."""

    problems: list[Problem]
    given: UniqId | None = None
    item: Item | None = None
    folder: str = ""


def parse_metadata(content: bytes, track: Track, name: str) -> Metadata:
    """Read a metadata file.

    Args:
        content: Its bytes.
        track: The track that it describes.
        name: How to call it in a message.

    Raises:
        MetadataError: The file as a whole cannot be used.
    """
    entries = [_read_entry(record, track) for record in raw_records(content, name)]
    numbers = number_records([entry.given for entry in entries], [entry.item for entry in entries])
    items: list[Item] = []
    notes = _note_on_missing_ids(entries, track)
    for place, (entry, number) in enumerate(zip(entries, numbers, strict=True), 1):
        problems = [*entry.problems, number.problem] if number.problem else entry.problems
        notes += [
            Note(track, f"record {place}", said.kind, said.severity, said.message, number.uniq_id, entry.folder)
            for said in problems
        ]
        if entry.item and all(said.severity is Severity.WARNING for said in problems):
            items.append(msgspec.structs.replace(entry.item, uniq_id=number.uniq_id))
    return Metadata(tuple(items), tuple(notes), len(entries))


def _note_on_missing_ids(entries: list[_Entry], track: Track) -> list[Note]:
    count = sum(entry.item is not None and entry.given is None for entry in entries)
    if not count:
        return []
    message = f"{count} of {len(entries)} records have no usable uniq_id: each is called record-N after its place N."
    return [Note(track, "file", "id_missing", Severity.WARNING, message)]


def _read_entry(record: object, track: Track) -> _Entry:
    if not isinstance(record, dict):
        problem = Problem("not_a_record", f"The entry is {type_name(record)}, not an object.", Severity.SET_ASIDE)
        return _Entry([problem])
    given, problem_of_id = given_id(record.get("uniq_id"))
    entry = _Entry([problem_of_id] if problem_of_id else [], given)
    read = _foundation_item if track is Track.FOUNDATION else _chat_item
    try:
        task = required_text(record, "task_name", "no_task")
        dataset = required_text(record, "dataset_name", "no_dataset")
        entry.folder = f"{task}_{dataset}"
        item = read(record, task, dataset, entry.problems.append)
        if way := item_escape(item):
            raise Unusable("path_escape", f"The path {item.path!r} in {item.folder!r} {way}.", Severity.REFUSED)
        entry.item = item
        _say_where_unknown(item, entry.problems.append)
    except Unusable as error:
        entry.problems.append(error.problem)
    return entry


def _clip_path(record: Record) -> str:
    path = required_text(record, "path", "no_path")
    if names_no_file(path):
        raise Unusable("no_path", f"path {path!r} names a folder, not a file.")
    return path


def _foundation_item(record: Record, task: str, dataset: str, say: Say) -> FoundationItem:
    path = _clip_path(record)
    question = required_text(record, "question", "no_question")
    a, b, c, d = (scalar_text(record, field, "choice_not_text") for field in _CHOICES)
    answer_gt = scalar_text(record, "answer_gt", "no_answer")
    if answer_gt is None:
        raise Unusable("no_answer", "answer_gt is missing, null or blank.")
    item = FoundationItem("", task, dataset, path, question, (a, b, c, d), answer_gt, ())
    if len(item.options) < 2:
        raise Unusable("too_few_choices", f"There are fewer than two options: {len(item.options)}.")
    key = read_key(item.options, answer_gt)
    if key.problem:
        say(key.problem)
    _say_of_choices(record, item, say)
    return msgspec.structs.replace(item, accepted=key.letters)


def _say_of_choices(record: Record, item: FoundationItem, say: Say) -> None:
    letters = "".join(item.options)
    if not "ABCD".startswith(letters):
        say(Problem("choice_gap", f"The options {', '.join(letters)} leave a gap; they keep their letters."))
    for field, value in record.items():
        if _FURTHER_CHOICE.fullmatch(field) and not is_blank(value):
            say(Problem("further_choice", f"{field} is beyond the four options of AIR-Bench and is not offered."))


def _chat_item(record: Record, task: str, dataset: str, say: Say) -> ChatItem:
    path = _clip_path(record)
    question = required_text(record, "question", "no_question")
    answer_gt = scalar_text(record, "answer_gt", "no_reference")
    if answer_gt is None:
        raise Unusable("no_reference", "answer_gt is missing, null or blank: an answer has nothing to compare with.")
    if not isinstance(record["answer_gt"], str):
        was = type_name(record["answer_gt"])
        say(Problem("reference_not_text", f"answer_gt is {was}; its text {answer_gt!r} is used."))
    meta_info = required_text(record, "meta_info", "no_meta_info")
    return ChatItem("", task, dataset, path, question, answer_gt, meta_info)


def _say_where_unknown(item: Item, say: Say) -> None:
    """A folder that is not in the published data set stands alone and is never taken for another."""
    known = foundation_task(item.task) if isinstance(item, FoundationItem) else chat_task(item.task)
    if known is None:
        say(Problem("unknown_task", f"{item.task!r} is no task of AIR-Bench: it stands in no category."))
    elif item.dataset not in {folder.dataset for folder in known.folders}:
        say(Problem("unknown_dataset", f"{item.dataset!r} is no published source of {item.task}."))
