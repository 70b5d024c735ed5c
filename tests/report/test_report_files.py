from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import official_case
from helpers.command_line import airbench_edge

OFFICIAL = official_case.CASE


def test_the_command_writes_every_form_and_shows_nothing(tmp_path: Path) -> None:
    run = tmp_path / "run"
    airbench_edge("run", "--model", f"recorded:{OFFICIAL / 'responses.jsonl'}", "--data", OFFICIAL, "--out", run)
    forms = ["csv-tasks", "csv-items", "markdown", "model-card", "html"]
    options = [part for form in forms for part in (f"--{form}", tmp_path / form)]
    code, out, err = airbench_edge("report", run, *options, "--official", tmp_path / "official")
    assert (code, out) == (0, "")
    assert all((tmp_path / form).stat().st_size > 100 for form in forms)
    assert sorted(path.name for path in (tmp_path / "official").iterdir()) == [
        "Chat_result_modelx.jsonl",
        "Foundation_result_modelx.jsonl",
    ]
    assert "holds 2 files" in err


def test_official_files_come_back_as_a_recorded_model(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    command = ("--data", OFFICIAL, "--json", "--out")
    model = f"recorded:{OFFICIAL / 'responses.jsonl'}"
    before = json.loads(airbench_edge("run", "--model", model, *command, first).out)
    airbench_edge("report", first, "--official", tmp_path)
    files = f"{tmp_path / 'Foundation_result_modelx.jsonl'},{tmp_path / 'Chat_result_modelx.jsonl'}"
    after = json.loads(airbench_edge("run", "--model", f"recorded:{files}", *command, second).out)
    assert before["letters"] == after["letters"]


@pytest.mark.parametrize("option", ["--csv-items", "--markdown", "--official"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, option: str) -> None:
    run, file = tmp_path / "run", tmp_path / "file"
    airbench_edge("run", "--model", f"recorded:{OFFICIAL / 'responses.jsonl'}", "--data", OFFICIAL, "--out", run)
    file.write_text("", encoding="utf-8")
    code, out, err = airbench_edge("report", run, option, file / "below")
    assert (code, out) == (2, "")
    assert str(file / "below") in err
    assert err.count("\n") == 1
