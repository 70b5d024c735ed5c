from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeRequest
from airbench_edge.judges.recorded import RecordedJudge


def recorded(tmp_path: Path, content: str) -> RecordedJudge:
    file = tmp_path / "Old Judge.jsonl"
    file.write_text(content, encoding="utf-8")
    return RecordedJudge(file)


def test_replies_are_found_by_id_and_order_and_the_last_line_counts(tmp_path: Path) -> None:
    judge = recorded(
        tmp_path,
        '\ufeff{"uniq_id": 1, "order": "reference_first", "text": "1 1"}\n\n'
        '{"uniq_id": 1, "order": "reference_first", "text": "8 7"}\r\n'
        '{"uniq_id": "2", "order": "model_first", "text": null}',
    )
    requests = [
        JudgeRequest("1", Order.REFERENCE_FIRST, ""),
        JudgeRequest(1, Order.MODEL_FIRST, ""),
        JudgeRequest(2, Order.MODEL_FIRST, ""),
    ]
    assert [(reply.text, reply.failure) for _, reply in judge.replies(requests)] == [
        ("8 7", ""),
        (None, "not_recorded"),
        (None, "not_recorded"),
    ]
    assert judge.identity.name == "old-judge"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"uniq_id": 1, "order": "sideways", "text": "8 7"}', "Line 1"),
        ('{"uniq_id": 1, "order": "model_first", "text": "8 7"}\n{"uniq', "Line 2"),
        ("", "holds no line"),
    ],
)
def test_other_files_are_refused_with_the_line(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        recorded(tmp_path, content)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.jsonl"):
        RecordedJudge(tmp_path / "gone.jsonl")


def test_half_a_character_is_a_replacement_and_no_end_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_text('{"uniq_id": 1, "order": "model_first", "text": "8 7 \\ud800"}\n', encoding="ascii")
    asked = JudgeRequest(1, Order.MODEL_FIRST, "")
    assert dict(RecordedJudge(path).replies([asked]))[asked].text == "8 7 \ufffd"


def test_contradicting_lines_are_counted_and_the_last_text_counts(tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    texts = ('"8 7"', '"8 7"', '"9 7"', "null")
    path.write_text("".join(f'{{"uniq_id": 1, "order": "model_first", "text": {text}}}\n' for text in texts))
    judge = RecordedJudge(path)
    assert judge.contradicted == 1  # the second says the same, the fourth says nothing
    assert judge.keys == {("1", Order.MODEL_FIRST)}
    asked = JudgeRequest("1", Order.MODEL_FIRST, "")
    assert dict(judge.replies([asked]))[asked].text == "9 7"
