"""Two verdicts for every answered chat item, from one instrument, each asked for once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from helpers.run_parts import CountingJudge, load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import Judge, JudgeReply, JudgeRequest
from airbench_edge.judges.recorded import RecordedJudge
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import RunData, load_run
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import create_or_open, reopen
from airbench_edge.run.progress import Outcome, Stage, Step
from airbench_edge.run.stage import Summary


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    """A run of 12 foundation and 8 chat items; chat item 6 has no response, that of item 7 is empty."""
    data = load(write_dataset(tmp_path / "data", with_audio=False))
    recorded = write_responses(tmp_path / "responses.jsonl", data.items)
    lines = recorded.read_text().splitlines()
    lines[-1] = json.dumps({"uniq_id": 7, "track": "chat", "response": ""})
    del lines[-2]
    recorded.write_text("\n".join(lines) + "\n")
    model = RecordedAudioLM(str(recorded))
    with create_or_open(tmp_path / "run", manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data)
    return tmp_path / "run"


def judge(path: Path, instrument: Judge, limit: int | None = None) -> tuple[Summary, RunData]:
    with reopen(path) as run:
        summary = judge_chat(run, instrument, limit)
    return summary, load_run(path)


def test_both_orders_of_every_answered_item(run_path: Path) -> None:
    instrument = CountingJudge()
    summary, run = judge(run_path, instrument)
    judged = run.verdicts["counting"]
    assert judged.identity == instrument.identity
    assert judged.planned == tuple(range(8))
    # Seven items have a response, an empty one included: 14 verdicts, in the order of the items.
    assert list(judged.records) == [(number, order) for number in (0, 1, 2, 3, 4, 5, 7) for order in Order]
    assert summary == Summary(14, 0, done=14, failed=0, written=14)
    prompts = {(request.uniq_id, request.order): request.prompt for request in instrument.asked}
    said = "I hear a tone, number 3."
    assert f"Assistant 2s Answer]\n{said}\n" in prompts[3, Order.REFERENCE_FIRST]
    assert f"Assistant 1s Answer]\n{said}\n" in prompts[3, Order.MODEL_FIRST]


def test_a_verdict_is_asked_for_once(run_path: Path) -> None:
    _, before = judge(run_path, CountingJudge())
    again = CountingJudge()
    summary, after = judge(run_path, again)
    assert again.asked == []
    assert summary == Summary(14, 14)
    assert after == before


def test_a_changed_judge_of_the_same_name_shares_no_verdict(run_path: Path) -> None:
    judge(run_path, CountingJudge(weights="aa"))
    other = CountingJudge(weights="bb")
    _, run = judge(run_path, other)
    assert len(other.asked) == 14
    assert len(run.verdicts) == 2
    assert {stem: judged.identity.details["weights"] for stem, judged in run.verdicts.items()} == {
        "counting": "aa",
        next(stem for stem in run.verdicts if stem != "counting"): "bb",
    }


def test_what_may_pass_is_asked_again_and_what_stays_is_not(run_path: Path) -> None:
    summary, run = judge(run_path, CountingJudge(failures={0: "rate_limited", 1: "too_long"}))
    assert (summary.done, summary.failed) == (14, 4)
    assert run.verdicts["counting"].records[0, Order.MODEL_FIRST].failure == "rate_limited"
    again = CountingJudge()
    summary, run = judge(run_path, again)
    assert {request.uniq_id for request in again.asked} == {0}
    assert (summary.already, summary.done, summary.written) == (12, 2, 2)
    records = run.verdicts["counting"].records
    assert (records[0, Order.MODEL_FIRST].failure, records[1, Order.MODEL_FIRST].failure) == ("", "too_long")
    assert len(records) == 14


def test_a_limit_is_spread_and_what_was_not_asked_is_known(run_path: Path) -> None:
    _, run = judge(run_path, CountingJudge(), limit=4)
    planned = run.verdicts["counting"].planned
    assert len(planned) == 4
    assert len({0, 1, 2, 3} & set(planned)) == 2  # two of each of the two chat folders
    _, larger = judge(run_path, CountingJudge(), limit=6)
    assert set(planned) < set(larger.verdicts["counting"].planned)
    _, smaller = judge(run_path, CountingJudge(), limit=1)
    assert smaller.verdicts["counting"].planned == larger.verdicts["counting"].planned


def test_recorded_verdicts_serve_as_a_judge(run_path: Path, tmp_path: Path) -> None:
    replies = tmp_path / "verdicts.jsonl"
    rows = [
        {"uniq_id": 0, "order": "reference_first", "text": "8 6"},
        {"uniq_id": 0, "order": "model_first", "text": "I cannot say."},
    ]
    replies.write_text("".join(json.dumps(row) + "\n" for row in rows))
    steps: list[Step] = []

    class Watcher:
        def started(self, stage: Stage, name: str, total: int, already: int) -> None:
            assert (stage, name, total, already) == (Stage.JUDGE, "verdicts", 14, 0)

        def advanced(self, step: Step) -> None:
            steps.append(step)

        def ended(self) -> None:
            pass

    with reopen(run_path) as run:
        judge_chat(run, RecordedJudge(replies), progress=Watcher())
    records = load_run(run_path).verdicts["verdicts"].records
    assert records[0, Order.REFERENCE_FIRST].text == "8 6"
    assert records[1, Order.REFERENCE_FIRST].failure == "not_recorded"
    # The reference was read first and got the 8, so the model's score is the 6.
    assert (steps[0].outcome, steps[0].score) == (Outcome.DONE, 6)
    assert (steps[1].outcome, steps[1].score) == (Outcome.UNDECIDED, None)
    assert {step.outcome for step in steps[2:]} == {Outcome.FAILED}


def test_an_interrupt_keeps_the_verdicts_so_far(run_path: Path) -> None:
    _, whole = judge(run_path, CountingJudge())

    class Stopping(CountingJudge):
        def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
            yield from islice(super().replies(requests), 5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(run_path, Stopping("stopping"))
    assert len(load_run(run_path).verdicts["stopping"].records) == 5
    summary, run = judge(run_path, CountingJudge("stopping"))
    assert summary.already == 5
    assert run.verdicts["stopping"].records == whole.verdicts["counting"].records
