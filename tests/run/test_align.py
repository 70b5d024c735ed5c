"""An aligner is asked about what the strict rule left undecided, or about all."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.run_parts import CountingJudge, load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.judges.contract import Judge
from airbench_edge.run.align import AlignWhich, align
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import RunData, load_run
from airbench_edge.run.open_run import create_or_open, reopen
from airbench_edge.run.stage import Summary


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    """Twelve foundation responses in turn: a letter, "hm", "It is loud." - 4 decided, 8 not."""
    data = load(write_dataset(tmp_path / "data", with_audio=False))
    model = RecordedAudioLM(str(write_responses(tmp_path / "responses.jsonl", data.items)))
    with create_or_open(tmp_path / "run", manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data)
    return tmp_path / "run"


def aligned(path: Path, aligner: Judge, which: AlignWhich) -> tuple[Summary, RunData]:
    with reopen(path) as run:
        summary = align(run, aligner, which)
    return summary, load_run(path)


def test_only_undecided_responses_are_asked_about(run_path: Path) -> None:
    aligner = CountingJudge()
    summary, run = aligned(run_path, aligner, AlignWhich.UNDECIDED)
    undecided = tuple(number for number in range(12) if number % 3)
    assert run.letters["counting"].planned == undecided
    assert list(run.letters["counting"].records) == [ItemKey(Track.FOUNDATION, number) for number in undecided]
    assert summary == Summary(8, 0, done=8, failed=0, written=8)
    assert {request.order for request in aligner.asked} == {None}
    assert {request.letters for request in aligner.asked} == {("A", "B", "C", "D")}
    assert all('one response is "' in request.prompt for request in aligner.asked)
    assert run.verdicts == {}


def test_all_adds_the_others_and_asks_nothing_twice(run_path: Path) -> None:
    aligned(run_path, CountingJudge(), AlignWhich.UNDECIDED)
    aligner = CountingJudge()
    summary, run = aligned(run_path, aligner, AlignWhich.ALL)
    assert sorted(request.uniq_id for request in aligner.asked if isinstance(request.uniq_id, int)) == [0, 3, 6, 9]
    assert summary == Summary(12, 8, done=4, failed=0, written=4)
    assert run.letters["counting"].planned == tuple(range(12))


def test_failures_are_kept_by_name_and_asked_again(run_path: Path) -> None:
    _, run = aligned(run_path, CountingJudge(failures={1: "timeout", 2: "too_long"}), AlignWhich.UNDECIDED)
    assert run.letters["counting"].records[ItemKey(Track.FOUNDATION, 1)].failure == "timeout"
    aligner = CountingJudge()
    _, run = aligned(run_path, aligner, AlignWhich.UNDECIDED)
    assert [request.uniq_id for request in aligner.asked] == [1]
    assert run.letters["counting"].records[ItemKey(Track.FOUNDATION, 1)].failure == ""
    assert run.letters["counting"].records[ItemKey(Track.FOUNDATION, 2)].failure == "too_long"
