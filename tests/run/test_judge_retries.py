"""A reply that cannot be read is asked for again where that is wanted, and every attempt is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from helpers.run_parts import load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import load_run
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import create_or_open, reopen


class Moody:
    """A judge that writes prose about item 0 as often as told, and a verdict about all else."""

    identity = JudgeIdentity("openai", "moody", {})

    def __init__(self, prose: int, failure_after: int | None = None) -> None:
        self.prose = prose
        self.failure_after = failure_after
        self.asked: list[JudgeRequest] = []

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        for request in requests:
            self.asked.append(request)
            if request.uniq_id == 0 and request.attempt == self.failure_after:
                yield request, JudgeReply(None, failure="rate_limited")
            elif request.uniq_id == 0 and request.attempt < self.prose:
                yield request, JudgeReply("I'm sorry, but I can't evaluate this.", "stop", prompt_tokens=100)
            else:
                yield request, JudgeReply("8 7", "stop", prompt_tokens=100, completion_tokens=3)

    def close(self) -> None:
        pass


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    data = load(write_dataset(tmp_path / "data", per_folder=1, with_audio=False))
    model = RecordedAudioLM(str(write_responses(tmp_path / "responses.jsonl", data.items)))
    with create_or_open(tmp_path / "run", manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data)
    return tmp_path / "run"


def judge(path: Path, instrument: Moody, retries: int) -> dict[tuple[int | str, Order], Verdict]:
    with reopen(path) as run:
        summary = judge_chat(run, instrument, retries=retries)
    assert summary.already + summary.done == summary.planned == 4  # two items, two orders
    return load_run(path).verdicts["moody"].records


def test_without_retries_one_sample_is_taken(run_path: Path) -> None:
    instrument = Moody(prose=1)
    records = judge(run_path, instrument, retries=0)
    assert len(instrument.asked) == 4
    assert records[0, Order.MODEL_FIRST].attempts == 1
    assert records[0, Order.MODEL_FIRST].text == "I'm sorry, but I can't evaluate this."


def test_it_is_asked_again_until_it_can_be_read(run_path: Path) -> None:
    instrument = Moody(prose=2)
    records = judge(run_path, instrument, retries=5)
    assert [request.attempt for request in instrument.asked if request.uniq_id == 0] == [0, 0, 1, 1, 2, 2]
    # Three attempts of 100 tokens each; only the last one wrote any.
    assert records[0, Order.MODEL_FIRST] == Verdict(
        0, Order.MODEL_FIRST, "8 7", "stop", prompt_tokens=300, completion_tokens=3, attempts=3
    )
    assert records[1, Order.MODEL_FIRST].attempts == 1


def test_after_the_limit_the_last_reply_stays_as_a_failure_of_the_judge(run_path: Path) -> None:
    instrument = Moody(prose=99)
    records = judge(run_path, instrument, retries=2)
    assert sum(request.uniq_id == 0 for request in instrument.asked) == 2 * 3
    assert records[0, Order.MODEL_FIRST].attempts == 3
    again = Moody(prose=99)
    assert judge(run_path, again, retries=2) == records
    assert again.asked == []


def test_a_later_command_goes_on_where_the_attempts_ended(run_path: Path) -> None:
    judge(run_path, Moody(prose=99), retries=0)
    instrument = Moody(prose=1)
    records = judge(run_path, instrument, retries=1)
    assert [(request.uniq_id, request.attempt) for request in instrument.asked] == [(0, 1), (0, 1)]
    assert records[0, Order.MODEL_FIRST].attempts == 2


def test_a_failed_attempt_is_left_to_the_next_command(run_path: Path) -> None:
    records = judge(run_path, Moody(prose=99, failure_after=1), retries=3)
    assert records[0, Order.MODEL_FIRST].failure == "rate_limited"
    assert judge(run_path, Moody(prose=0), retries=3)[0, Order.MODEL_FIRST].text == "8 7"
