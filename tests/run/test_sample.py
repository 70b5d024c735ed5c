"""A sample stays random when the money runs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from helpers.run_parts import CountingJudge, load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.judges.contract import JudgeReply, JudgeRequest, SpendingCapReached
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import load_run
from airbench_edge.run.open_run import create_or_open, reopen
from airbench_edge.run.progress import Silent
from airbench_edge.run.sample import judge_sample
from airbench_edge.run.selection import spread


class Capped(CountingJudge):
    """Stops after so many verdicts."""

    def __init__(self, verdicts: int) -> None:
        super().__init__()
        self.left = verdicts

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        for pair in super().replies(requests):
            if not self.left:
                raise SpendingCapReached("Stopped at --max-cost 1.")
            self.left -= 1
            yield pair


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    """A run of 60 chat items in two folders."""
    data = load(write_dataset(tmp_path / "data", per_folder=30, with_audio=False))
    model = RecordedAudioLM(str(write_responses(tmp_path / "responses.jsonl", data.items)))
    with create_or_open(tmp_path / "run", manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data)
    return tmp_path / "run"


def sample(path: Path, judge: CountingJudge, items: int, capped: bool) -> list[int | str]:
    with reopen(path) as run:
        return judge_sample(run, judge, items, Silent(), capped)


@pytest.mark.parametrize("capped", [False, True])
def test_enough_money_judges_the_whole_sample(run_path: Path, capped: bool) -> None:
    judge = CountingJudge()
    drawn = sample(run_path, judge, 50, capped)
    assert len(drawn) == 50
    assert {request.uniq_id for request in judge.asked} == set(drawn)
    assert len(judge.asked) == 100
    assert drawn == [item.uniq_id for item in spread(load_run(run_path).items[-60:], 50, 0)]


def test_a_cap_leaves_the_last_whole_step(run_path: Path) -> None:
    """Steps of 20, 40 and 50 items: with 95 verdicts the second step, of 80, is the last that is whole."""
    drawn = sample(run_path, Capped(95), 50, True)
    chat = load_run(run_path).items[-60:]
    assert drawn == [item.uniq_id for item in spread(chat, 40, 0)]
    assert len(load_run(run_path).verdicts["counting"].records) == 95  # nothing is lost


def test_too_little_for_one_step_is_an_error(run_path: Path) -> None:
    with pytest.raises(SpendingCapReached):
        sample(run_path, Capped(39), 50, True)
    assert len(load_run(run_path).verdicts["counting"].records) == 39


def test_more_than_there_is_is_everything(run_path: Path) -> None:
    assert len(sample(run_path, CountingJudge(), 500, False)) == 60
