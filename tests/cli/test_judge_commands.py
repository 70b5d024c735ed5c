"""Comparison, calibration and difference of judges from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

OFFICIAL = Path(__file__).parent.parent / "cases" / "official"
MODEL = f"recorded:{OFFICIAL / 'responses.jsonl'}"
REPLIES = OFFICIAL / "judge_replies.jsonl"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second judge: as the first, but a point higher for the second answer where there is room."""
    lines = []
    for line in REPLIES.read_text(encoding="utf-8").splitlines():
        reply = json.loads(line)
        scores = (reply["text"] or "").split(" ")
        if len(scores) == 2 and all(score.isdigit() for score in scores):
            reply["text"] = f"{scores[0]} {min(10, int(scores[1]) + 1)}"
        lines.append(json.dumps(reply) + "\n")
    path = tmp_path / "other.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def run_path(tmp_path: Path, other: Path) -> Path:
    ended = airbench_edge(
        "run", "--model", MODEL, "--data", OFFICIAL, "--out", tmp_path / "run",
        "--judge", f"recorded:{REPLIES}", "--judge", f"recorded:{other}",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    return tmp_path / "run"


def test_compare(run_path: Path) -> None:
    code, out, err = airbench_edge("judge", "compare", run_path, "--judges", "judge_replies,other")
    assert (code, err) == (0, "")
    for words in ("Agreement of judges", "Speech", "Mixed", "Where they differ most"):
        assert words in out
    code, out, _ = airbench_edge("judge", "compare", run_path, "--judges", "judge_replies,other", "--json")
    model = json.loads(out)
    # With the reference first the model's score is the second: half of the verdicts are at most a point higher.
    whole = model["readings"][0]["parts"][-1]
    assert 0 < whole["difference"]["value"] <= 0.5
    assert whole["agreement"]["within_one"] == 1.0
    assert code == 0


def test_diff(run_path: Path) -> None:
    code, out, _ = airbench_edge("judge", "diff", run_path, "--judges", "judge,other", "--json")
    moved = json.loads(out)["moved"]
    assert code == 0
    read = [one for one in moved if one["points"] is not None]  # some replies could be read by one side only
    assert {one["points"] for one in read if one["order"] == "reference_first"} == {1}
    assert {one["points"] for one in read if one["order"] == "model_first"} == {0}
    assert "Verdicts that moved" in airbench_edge("judge", "diff", run_path, "--judges", "judge,other").out


def test_calibrate_judges_what_is_missing_and_no_more(tmp_path: Path, other: Path) -> None:
    run = tmp_path / "fresh"
    airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--out", run)
    arguments = ["--cheap", f"recorded:{other}", "--reference", f"recorded:{REPLIES}", "--items", 60]
    code, out, err = airbench_edge("judge", "calibrate", run, *arguments, "--json")
    assert code == 0, err
    model = json.loads(out)
    assert model["drawn"] == 60
    planned = {
        stem: len(json.loads((run / "verdicts" / f"{stem}.json").read_text())["planned"])
        for stem in ("other", "judge_replies")
    }
    assert planned["judge_replies"] == 60 < planned["other"]
    for part in (*model["groups"], model["average"]):
        if part["corrected"]:
            widths = [
                found["interval"]["high"] - found["interval"]["low"] for found in (part["corrected"], part["alone"])
            ]
            assert widths[0] <= widths[1]
    before = {path: path.read_bytes() for path in (run / "verdicts").iterdir()}
    again = airbench_edge("judge", "calibrate", run, *arguments)
    assert "Calibration" in again.out
    assert {path: path.read_bytes() for path in (run / "verdicts").iterdir()} == before


@pytest.mark.parametrize(
    ("judges", "words"),
    [
        ("other", "does not name two judges"),
        ("other,other", "does not name two judges"),
        ("other,gpt", "no verdicts by gpt: name one of its verdict files (judge_replies, other)"),
    ],
)
@pytest.mark.parametrize("command", ["compare", "diff"])
def test_bad_names_are_one_sentence(run_path: Path, command: str, judges: str, words: str) -> None:
    code, out, err = airbench_edge("judge", command, run_path, "--judges", judges)
    assert (code, out) == (2, "")
    assert words in err


def test_recorded_verdicts_that_are_left_out_are_counted(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    first = next(line for line in lines if line["text"])
    lines += [{**first, "text": "1 1"}, {**first, "uniq_id": "no such item"}]
    path = tmp_path / "more.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ended = airbench_edge(
        "run", "--model", MODEL, "--data", OFFICIAL, "--out", tmp_path / "run", "--judge", f"recorded:{path}"
    )
    assert "more: 1 verdicts about items that are not in the run, ignored." in ended.err
    assert "more: 1 lines say otherwise than an earlier one" in ended.err
