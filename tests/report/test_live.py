from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.text import Text

from airbench_edge.benchmark.items import Track
from airbench_edge.report import live
from airbench_edge.report.live import LiveProgress, Tally, clock, counting
from airbench_edge.run.progress import Outcome, Stage, Step

RIGHT = Step(Track.FOUNDATION, "Sound_AQA_avqa", Outcome.RIGHT, audio_s=2.0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def watch(file: io.StringIO, steps: int, name: str = "nano") -> str:
    with LiveProgress(file) as progress:
        progress.started(Stage.ANSWER, name, steps, 0)
        for _ in range(steps):
            progress.advanced(RIGHT)
        progress.ended()
    return file.getvalue()


def test_a_log_gets_few_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_QUIET_S", 0.0)
    written = watch(io.StringIO(), 200)
    # 20 on the way, one at the beginning and one at the end.
    assert len(written.splitlines()) == 22
    assert "\x1b" not in written
    assert written.splitlines()[0] == "answering nano: 200 of 200 to do"
    assert "200/200 done, 100% right" in written.splitlines()[-1]


def test_a_quick_stage_says_only_how_it_began_and_ended() -> None:
    assert len(watch(io.StringIO(), 1000).splitlines()) == 2


def test_a_stage_with_nothing_to_do_says_so() -> None:
    file = io.StringIO()
    with LiveProgress(file) as progress:
        progress.started(Stage.JUDGE, "judge", 12, 12)
        progress.ended()
    assert file.getvalue() == "judging judge: nothing left to do of 12\n"


def test_a_terminal_gets_a_bar_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    written = watch(Terminal(), 30)
    assert "30/30" in written
    assert written.count("\x1b[?25l") == written.count("\x1b[?25h") == 1  # the cursor is hidden and shown again


@pytest.mark.parametrize("name", ["nano", "Qwen2.5-Omni-7B-with-a-name-that-is-far-too-long-for-any-terminal"])
def test_eighty_columns_hold_every_line(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(live, "_REDRAW_S", 0.0)
    lines = Text.from_ansi(watch(Terminal(), 24_683, name).replace("\r", "\n")).plain.splitlines()
    assert max(map(len, lines)) <= 80
    bar = next(line for line in reversed(lines) if "24683/24683" in line)
    assert bar.startswith(f"answering {name}"[:37])
    assert "━━━" in bar
    assert "took 0:0" in bar
    assert any("  in Sound_AQA_avqa" in line for line in lines)
    assert lines[-1].endswith(" GB")


def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[3" in watch(Terminal(), 30)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in watch(Terminal(), 30)


def test_a_terminal_that_cannot_draw_anew_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    written = watch(Terminal(), 30)
    assert "\x1b" not in written
    assert written.startswith("answering nano: 30 of 30 to do\nanswering nano: 30/30 done, ")


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_ctrl_c_leaves_the_terminal_clean_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["run", "--model", "nano", "--data", "small", "--track", "foundation", "--out", str(out)]
    terminal, its_end = os.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", "from airbench_edge.cli.main import main; main()", *command],
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(its_end), os.O_RDWR)),  # makes it the controlling one
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(its_end)
    seen = b""
    begun = time.monotonic()
    while b" left" not in seen and time.monotonic() - begun < 60:
        seen += os.read(terminal, 4096)
    os.write(terminal, b"\x03")
    try:
        while more := os.read(terminal, 4096):
            seen += more
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(terminal)
    assert program.wait(10) == 130
    text = seen.decode()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")
    assert f"Stopped; everything so far is in {out}. To go on: airbench-edge" not in text.split("\x1b[?25h")[0]
    assert "To go on: " in " ".join(text.split("\x1b[?25h")[-1].split())
    assert "Traceback" not in text


def test_time_is_told_as_on_a_clock() -> None:
    assert [clock(seconds) for seconds in (0.4, 7, 750, 11_100)] == ["0:00", "0:07", "12:30", "3:05:00"]


def test_markup_in_a_name_is_printed_as_it_is() -> None:
    file = io.StringIO()
    with LiveProgress(file) as progress:
        progress.started(Stage.ANSWER, "[bold]nano[/red]", 1, 0)
        progress.advanced(RIGHT)
        progress.ended()
    assert "answering [bold]nano[/red]: 1 of 1 to do" in file.getvalue()


def test_the_tally_counts_undecided_among_the_answered_and_means_the_scores() -> None:
    tally = Tally(total=4, done=0)
    for outcome in (Outcome.RIGHT, Outcome.WRONG, Outcome.UNDECIDED, Outcome.FAILED):
        tally.add(Step(Track.FOUNDATION, "f", outcome))
    # 1 right of 3 that have a text: 33 %.
    assert tally.words().startswith("33% right, 1 undecided, 1 failed")
    verdicts = Tally(total=2, done=0)
    for score in (6.0, 9.0):
        verdicts.add(Step(Track.CHAT, "f", Outcome.DONE, score=score))
    assert verdicts.words().startswith("score 7.50")


def test_figures_beside_the_count_of_a_resumed_stage_are_those_of_what_is_new() -> None:
    tally = Tally(total=6, done=2)
    for outcome in (Outcome.RIGHT, Outcome.WRONG, Outcome.WRONG, Outcome.UNDECIDED):
        tally.add(Step(Track.FOUNDATION, "f", outcome))
    assert tally.done == 6
    assert tally.words().startswith("25% right, 1 undecided of the 4 new, ")


def test_counting_shows_no_total_before_it_knows_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    file = Terminal()
    with counting("decoding", file) as seen:
        seen(1, 2)
    assert "/100" not in file.getvalue()


def test_counting_is_silent_in_a_file() -> None:
    file = io.StringIO()
    with counting("decoding", file) as seen:
        seen(1, 2)
        seen(2, 2)
    assert file.getvalue() == ""
