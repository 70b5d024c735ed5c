"""The files of the released scripts, so that these can be run on them unchanged and print our ``official`` figures.

Fields and their order are those of ``Inference_Foundation.py``, ``Inference_Chat.py`` and ``score_chat.py`` of
OFA-Sys/AIR-Bench; ``chat_score.json`` and ``chat_score_cir.json`` (the swapped order) are what ``cal_score.py`` reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Track, UniqId
from airbench_edge.benchmark.prompts import judge_prompt
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.tasks import CHAT_GROUPS, chat_task
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.run.folder import Judged, RunData

_FOUNDATION, _CHAT = "Foundation_result_modelx.jsonl", "Chat_result_modelx.jsonl"
_ENDS = {Order.REFERENCE_FIRST: "", Order.MODEL_FIRST: "_cir"}

_Said = Sequence[tuple[ChatItem, str]]


class OfficialFiles(NamedTuple):
    """What is to be written.

    Attributes:
        files: Name below the folder to content.
        remarks: What had to be left out for the released scripts, and where they cannot follow, one sentence each.
    """

    files: dict[str, bytes]
    remarks: tuple[str, ...]


def official_files(run: RunData) -> OfficialFiles:
    """All files that the run can fill.

    At the top are the responses, in ``aligned/NAME`` the same with the replies of an aligner in their place, and in
    ``judged/NAME`` the verdicts of a judge. Items without a response have no line, as in the released scripts.
    """
    files: dict[str, bytes] = {}
    remarks: list[str] = []
    marks = mark_responses([item for item in run.items if isinstance(item, FoundationItem)], run.responses)
    if marks:
        files[_FOUNDATION] = _foundation(_FOUNDATION, marks, {}, remarks)
    for name, aligned in run.letters.items():
        place = f"aligned/{name}/{_FOUNDATION}"
        replies = {key.uniq_id: record.text for key, record in aligned.records.items() if record.text is not None}
        files[place] = _foundation(place, align(marks, aligned.records), replies, remarks)
    said = _said(run)
    if any(item.key.track is Track.CHAT for item in run.items):
        files[_CHAT] = _lines(_chat_line(item, text) for item, text in said)
    for name, judged in run.verdicts.items():
        if judged.identity.prompt != "official":
            remarks.append(f"judged/{name} is left out: {name} was not asked with the official prompt.")
            continue
        files.update(_judged(f"judged/{name}", judged, said, remarks))
    return OfficialFiles(files, tuple(remarks))


def _foundation(place: str, marks: Sequence[Mark], replies: Mapping[UniqId, str], remarks: list[str]) -> bytes:
    """The responses of every folder in which the scorer can read one: at any other it ends with an error."""
    given = [(mark, mark.response.text) for mark in marks if mark.response and mark.response.text is not None]
    readable = {mark.item.folder for mark, _ in given if mark.official.letter}
    unreadable = list(dict.fromkeys(mark.item.folder for mark, _ in given if mark.item.folder not in readable))
    if unreadable:
        remarks.append(
            f"{place} leaves out {', '.join(unreadable)}: score_foundation.py reads no response there and would crash."
        )
    return _lines(
        _foundation_line(mark.item, replies.get(mark.item.uniq_id, text))
        for mark, text in given
        if mark.item.folder in readable
    )


def _foundation_line(item: FoundationItem, response: str) -> dict[str, Any]:
    a, b, c, d = item.choices
    # The scorer compares texts for equality and ends the program where none is equal.
    right = item.answer_gt if item.answer_gt in item.choices else item.options[item.accepted[0]]
    return {
        "path": item.path,
        "question": item.question,
        "choice_a": a,
        "choice_b": b,
        "choice_c": c,
        "choice_d": d,
        "answer_gt": right,
        "task_name": item.task,
        "dataset_name": item.dataset,
        "response": response,
        "uniq_id": item.uniq_id,
    }


def _said(run: RunData) -> _Said:
    responses = [(item, run.responses.get(item.key)) for item in run.items if isinstance(item, ChatItem)]
    return [(item, response.text) for item, response in responses if response and response.text is not None]


def _chat_line(item: ChatItem, response: str) -> dict[str, Any]:
    fields = _chat_fields(item, "meta_info", "question", "answer_gt", "path")
    return {**fields, "response": response, "uniq_id": item.uniq_id}


def _judged(folder: str, judged: Judged, said: _Said, remarks: list[str]) -> dict[str, bytes]:
    files = {}
    for order, end in _ENDS.items():
        given = [
            (item, text, verdict)
            for item, text in said
            if (verdict := judged.records.get((item.uniq_id, order))) is not None
        ]
        files[f"{folder}/batch_run_output{end}.jsonl"] = _lines(
            _judge_line(item, text, verdict) for item, text, verdict in given
        )
        known = [entry for entry in given if chat_task(entry[0].task)]
        files[f"{folder}/chat_score{end}.json"] = msgspec.json.format(
            msgspec.json.encode([_score_record(*entry) for entry in known])
        )
        remarks += _score_remarks(f"{folder}/chat_score{end}.json", given)
    return files


def _score_remarks(place: str, given: Sequence[tuple[ChatItem, str, Verdict]]) -> Iterable[str]:
    tasks = {item.task: chat_task(item.task) for item, _, _ in given}
    if unknown := [name for name, task in tasks.items() if task is None]:
        yield f"{place} leaves out {', '.join(unknown)}: cal_score.py would count them to another group."
    read = {
        task.group
        for item, _, verdict in given
        if (task := tasks[item.task]) and read_verdict("official", verdict.text, verdict.finish).scores
    }
    if empty := [group for group in CHAT_GROUPS if group not in read]:
        yield f"{place} has no verdict that cal_score.py can read for {', '.join(empty)}: it divides by zero there."


def _judge_line(item: ChatItem, response: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "uuid": f"{item.uniq_id}-{verdict.order}",
        "openai_args": {"messages": [{"role": "user", "content": judge_prompt(item, response, verdict.order)}]},
        **_chat_fields(item, "meta_info", "path", "question", "answer_gt"),
        "Audio-LLM-response": response,
        "gen": verdict.text,
        "prompt_tokens": verdict.prompt_tokens,
        "completion_tokens": verdict.completion_tokens,
        "finish_reason": verdict.finish,
    }


def _score_record(item: ChatItem, response: str, verdict: Verdict) -> dict[str, Any]:
    return {
        **_chat_fields(item, "meta_info", "path", "question", "answer_gt"),
        "Audio-LLM-response": response,
        # The scorer ends with an error on null; it counts an empty text as a failure, which a missing reply is.
        "gpt-score": verdict.text or "",
        "uniq_id": item.uniq_id,
    }


def _chat_fields(item: ChatItem, *first: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in first} | {"task_name": item.task, "dataset_name": item.dataset}


def _lines(records: Iterable[dict[str, Any]]) -> bytes:
    return msgspec.json.Encoder().encode_lines(list(records))
