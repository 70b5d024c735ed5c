from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

OFFICIAL = Path(__file__).parent.parent / "cases" / "official"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    lines = [json.loads(line) for line in (OFFICIAL / "responses.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines[:100]:
        line["response"] = "A."
    (folder / "others.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for name, responses in (("one", OFFICIAL / "responses.jsonl"), ("two", folder / "others.jsonl")):
        model = f"recorded:{responses}"
        airbench_edge("run", "--model", model, "--data", OFFICIAL, "--track", "foundation", "--out", folder / name)
    return folder / "one", folder / "two"


def test_json_holds_what_moved(runs: tuple[Path, Path]) -> None:
    code, out, err = airbench_edge("compare", *runs, "--json")
    assert (code, err) == (0, "")
    (other,) = json.loads(out)["others"]
    (section,) = other["sections"]
    assert len(section["moved"]) == sum(task["fell"] + task["rose"] for task in section["tasks"])
    assert all(item["second_response"] == "A." for item in section["moved"])
    assert 440 <= other["drift"][0]["identical"] < 540


def test_a_reader_gets_a_table(runs: tuple[Path, Path]) -> None:
    code, out, _ = airbench_edge("compare", *runs, "--rules", "official")
    assert code == 0
    assert "official rules" in out
    assert "p Holm" in out


def test_html_writes_a_page_and_says_where(runs: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ended = airbench_edge("compare", *runs, "--html", page)
    assert (ended.code, ended.out, ended.err) == (0, "", f"{page} is written: open it in any browser.\n")
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert "AIR-Bench comparison" in page.read_text(encoding="utf-8")


def test_a_page_never_replaces_what_is_no_page(runs: tuple[Path, Path], tmp_path: Path) -> None:
    for place, word in ((runs[1] / "run.json", "inside the run folder"), (tmp_path, "is a folder")):
        code, out, err = airbench_edge("compare", *runs, "--html", place)
        assert (code, out) == (2, "")
        assert word in err
    code, _, err = airbench_edge("compare", *runs, "--html", tmp_path / "none" / "x.html")
    assert code == 2
    assert "cannot be written" in err
    assert airbench_edge("compare", *runs, "--html", tmp_path / "x.html", "--json").code == 2


def test_one_run_is_too_few_and_a_folder_that_is_no_run_is_named(runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert airbench_edge("compare", runs[0]).code == 2
    code, out, err = airbench_edge("compare", runs[0], tmp_path)
    assert (code, out) == (2, "")
    assert f"{tmp_path} is no run folder" in err


def test_help_shows_an_example() -> None:
    assert "airbench-edge compare runs/qwen-fp16 runs/qwen-int8" in airbench_edge("compare", "--help").out
