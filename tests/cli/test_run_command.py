from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from helpers.command_line import Ended, airbench_edge

OFFICIAL = Path(__file__).parent.parent / "cases" / "official"
MODEL = f"recorded:{OFFICIAL / 'responses.jsonl'}"
JUDGE = f"recorded:{OFFICIAL / 'judge_replies.jsonl'}"


def run(out: Path, *more: object) -> Ended:
    return airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--judge", JUDGE, "--out", out, *more)


def test_recorded_model_and_judge_end_in_the_released_scripts_figures(tmp_path: Path) -> None:
    code, out, err = run(tmp_path / "run", "--json")
    assert code == 0, err
    report = json.loads(out)
    expected = json.loads((OFFICIAL / "expected.json").read_text(encoding="utf-8"))
    assert report["judges"][0]["scores"]["average"]["official"]["value"] == expected["chat"]["average"]


def test_the_same_command_again_changes_no_byte(tmp_path: Path) -> None:
    first = run(tmp_path / "run", "--json")
    files = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    second = run(tmp_path / "run", "--json")
    assert second.out == first.out
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == files


def test_a_run_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    run(tmp_path / "run", "--limit", 10)
    code, _, err = run(tmp_path / "run", "--limit", 12)
    assert code == 2
    assert "selection.limit is 10 there and 12 in this command" in err


def test_a_copied_run_is_judged_and_reported_elsewhere(tmp_path: Path) -> None:
    airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--out", tmp_path / "here")
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    shutil.rmtree(tmp_path / "here")
    code, judged, _ = airbench_edge("judge", tmp_path / "there", "--judge", JUDGE, "--json")
    assert code == 0
    assert airbench_edge("report", tmp_path / "there", "--json").out == judged


def test_a_model_that_answered_nothing_ends_with_exit_code_1_after_the_report(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"track": "chat", "uniq_id": 99999, "response": "of another data set"}\n', encoding="utf-8")
    ended = airbench_edge("run", "--model", f"recorded:{other}", "--data", OFFICIAL, "--out", tmp_path / "run")
    assert ended.code == 1
    assert "no item could be answered" in ended.err
    assert "Foundation" in ended.out


def test_the_report_is_whole_and_plain_when_piped(tmp_path: Path) -> None:
    code, out, _ = run(tmp_path / "run")
    assert code == 0
    assert "\x1b" not in out
    for task in ("Music instruments classification", "Spoken language identification", "Synthesized voice detection"):
        assert task in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "gone", "--data", OFFICIAL], "gone is no model folder"),
        (["--model", MODEL, "--data", "gone"], "no data folder gone"),
        (["--model", MODEL, "--data", OFFICIAL, "--judge", "clever.gguf"], "did you mean llama:clever.gguf"),
        (["--model", MODEL, "--data", OFFICIAL, "--task", "Sound_QAA"], "did you mean"),
        (["--model", "recorded:gone.jsonl", "--data", OFFICIAL], "gone.jsonl"),
        (["--model", MODEL, "--data", OFFICIAL, "--align", "all"], "--align needs a --judge"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(tmp_path: Path, arguments: list[object], words: str) -> None:
    code, out, err = airbench_edge("run", *arguments, "--out", tmp_path / "run")
    assert code == 2
    assert out == ""
    # The usage errors of the command line are drawn in a box that breaks lines.
    assert words in " ".join(err.replace("│", " ").split())
    assert not (tmp_path / "run").exists()


def test_help_shows_examples() -> None:
    code, out, _ = airbench_edge("run", "--help")
    assert code == 0
    assert "airbench-edge run --model nano --data small" in " ".join(out.split())
