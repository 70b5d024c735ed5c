"""Several runs before one judge: each gets what it would get alone, and what they share is asked once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge
from helpers.judge_weights import TINY_JUDGE
from helpers.run_parts import CountingJudge, load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.judges.llamacpp import LlamaJudge
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import load_run
from airbench_edge.run.judge import judge_chat, judge_together
from airbench_edge.run.machine import read_timings
from airbench_edge.run.open_run import create_or_open, reopen
from airbench_edge.run.progress import Stage


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """Two runs of 8 chat items; their responses to items 0 to 5 are the same, the other two differ."""
    data = load(write_dataset(tmp_path / "data", with_audio=False))
    found = []
    for name in ("one", "two"):
        recorded = write_responses(tmp_path / f"{name}.jsonl", data.items)
        lines = recorded.read_text().splitlines()
        for number in (6, 7):
            lines[number - 8] = json.dumps({"uniq_id": number, "track": "chat", "response": f"{name} {number}"})
        recorded.write_text("\n".join(lines) + "\n")
        model = RecordedAudioLM(str(recorded))
        with create_or_open(tmp_path / name, manifest_of(data, model), data.items, data.notes) as run:
            answer(run, model, data)
        found.append(tmp_path / name)
    return found


def test_what_two_runs_ask_alike_is_asked_once_and_both_get_it(paths: list[Path]) -> None:
    judge = CountingJudge()
    with reopen(paths[0]) as one, reopen(paths[1]) as two:
        summaries = judge_together([one, two], judge)
    assert [summary.done for summary in summaries] == [16, 16]
    assert len(judge.asked) == 6 * 2 + 2 * 2 * 2  # six items asked once for both, two for each; both orders
    for path in paths:
        assert len(load_run(path).verdicts["counting"].records) == 16
        (timing,) = [timing for timing in read_timings(path) if timing.stage == Stage.JUDGE]
        assert timing.done == 16


def test_runs_judged_together_get_the_verdicts_of_runs_judged_alone(paths: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')
    alone = [Path(shutil.copytree(path, tmp_path / "alone" / path.name)) for path in paths]
    for path in alone:
        judge = LlamaJudge(TINY_JUDGE)
        with reopen(path) as run:
            judge_chat(run, judge)
        judge.close()
    judge = LlamaJudge(TINY_JUDGE)
    with reopen(paths[0]) as one, reopen(paths[1]) as two:
        judge_together([one, two], judge)
    judge.close()
    for together, by_itself in zip(paths, alone, strict=True):
        # Scores, expected scores, entropies and masses are equal to the last bit.
        assert load_run(together).verdicts["tiny"] == load_run(by_itself).verdicts["tiny"]


def test_the_command_judges_and_shows_all(paths: list[Path], tmp_path: Path) -> None:
    lines = [
        json.dumps({"uniq_id": number, "order": order, "text": "8 7"}) + "\n"
        for number in range(8)
        for order in ("reference_first", "model_first")
    ]
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(lines))
    ended = airbench_edge("judge", *paths, "--judge", f"recorded:{replies}")
    assert ended.code == 0, ended.err
    assert ended.out.count("scores of 1 to 10 by replies") == 2
    refused = airbench_edge("judge", *paths, "--judge", f"recorded:{replies}", "--json")
    assert refused.code == 2
    assert "--json ends in one report" in " ".join(refused.err.replace("│", " ").split())
