from __future__ import annotations

import io

import pytest

from airbench_edge.benchmark.items import Track
from airbench_edge.report import live
from airbench_edge.report.live import LiveProgress, Tally, counting
from airbench_edge.run.progress import Outcome, Stage, Step

RIGHT = Step(Track.FOUNDATION, "Sound_AQA_avqa", Outcome.RIGHT, audio_s=2.0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def watch(file: io.StringIO, steps: int) -> str:
    with LiveProgress(file) as progress:
        progress.started(Stage.ANSWER, "nano", steps, 0)
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


def test_counting_is_silent_in_a_file() -> None:
    file = io.StringIO()
    with counting("decoding", file) as seen:
        seen(1, 2)
        seen(2, 2)
    assert file.getvalue() == ""
