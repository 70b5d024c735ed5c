from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command_line import airbench_edge
from helpers.official_case import CASE
from helpers.run_parts import load, write_dataset, write_responses


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run")
    data = write_dataset(root / "data")
    responses = write_responses(root / "responses.jsonl", load(data).items)
    assert airbench_edge("run", "--model", f"recorded:{responses}", "--data", data, "--out", root / "out").code == 0
    return root


def test_writes_the_page_and_says_where(run: Path) -> None:
    page = run / "report.html"
    ended = airbench_edge("report", run / "out", "--html", page)
    assert (ended.code, ended.out, ended.err) == (0, "", f"{page} is written: open it in any browser.\n")
    before = page.read_bytes()
    assert before.startswith(b"<!doctype html>")
    assert airbench_edge("report", run / "out", "--html", page).code == 0
    assert page.read_bytes() == before


def test_clips_can_be_linked(run: Path) -> None:
    page = run / "linked.html"
    assert airbench_edge("report", run / "out", "--html", page, "--audio", "link", "--data", run / "data").code == 0
    assert "data/Chat/speech_QA_common_voice_en/clip_0.wav" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--audio", "link"), "--html"),
        (("--html", "x.html", "--audio", "link"), "--data"),
        (("--html", "x.html", "--data", CASE), "--audio"),
        (("--html", "x.html", "--data", CASE, "--audio", "link"), "not the data set"),
        (("--html", "no/such/folder/x.html"), "cannot be written"),
    ],
)
def test_what_does_not_fit_is_refused(
    run: Path, options: tuple[object, ...], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run)
    ended = airbench_edge("report", run / "out", *options)
    assert ended.code == 2
    assert word in ended.err
    assert not (run / "x.html").exists()
