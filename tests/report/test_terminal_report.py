from __future__ import annotations

import dataclasses
import io
import re

import msgspec
import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged
from helpers.full_size_run import full_size_run
from rich.console import Console

from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.benchmark.notes import Note, Severity
from airbench_edge.benchmark.records import AlignedLetter, State
from airbench_edge.benchmark.tasks import FOUNDATION_TASKS
from airbench_edge.report.build import build_report
from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal.console import open_console
from airbench_edge.report.terminal.figures import percent_interval
from airbench_edge.report.terminal.print_report import print_on, print_report
from airbench_edge.run.folder import Aligned, RunData

LABELS = [task.label for task in FOUNDATION_TASKS]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def full_size() -> ReportModel:
    return build_report(full_size_run())


def _piped(run: RunData) -> str:
    file = io.StringIO()
    print_report(build_report(run), file)
    return file.getvalue()


def _at(width: int, model: ReportModel) -> list[str]:
    file = Terminal()
    print_on(Console(file=file, width=width, markup=False, highlight=False, emoji=False, color_system=None), model)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 120, 140])
def test_full_size_fits_with_every_name_whole(full_size: ReportModel, width: int) -> None:
    lines = _at(width, full_size)
    assert max(map(len, lines)) <= width
    for label in [*LABELS, "speech + music", "Whisper-large-v2 + GPT-4 Turbo"]:
        assert any(label in line and re.search(r"\d\.\d", line) for line in lines), label


def test_narrow_tables_keep_the_figures_that_matter(full_size: ReportModel) -> None:
    line = next(line for line in _at(80, full_size) if "Speaker gender recognition" in line)
    task = next(task for task in full_size.letters[0].scores.tasks if task.task == "Speaker_Gender_Recognition")
    assert task.strict.value is not None
    assert task.official.value is not None
    shown = [
        "1,992",
        "100",
        f"{100 * task.official.value:.1f}",
        f"{100 * task.strict.value:.1f}",
        str(task.strict.undecided),
    ]
    assert [part for part in shown if part in line.split()] == shown
    assert line.split()[-1] == "50.0"


def test_piped_is_whole_and_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    text = _piped(example_run())
    assert "\x1b" not in text
    assert "9f3c" * 16 in text
    assert all(line == line.rstrip() for line in text.splitlines())
    for label in LABELS:
        assert re.search(rf"^ {re.escape(label)} +\d", text, re.MULTILINE)
    expected = official_case.expected()["chat"]["groups"]
    assert all(f"{value:.2f}" in text for value in expected.values())


def test_no_color_is_obeyed_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    model = build_report(example_run())
    texts = {}
    for name in ("colour", "plain"):
        if name == "plain":
            monkeypatch.setenv("NO_COLOR", "1")
        file = Terminal()
        print_report(model, file)
        texts[name] = file.getvalue()
    colour = re.compile(r"\x1b\[[0-9;]*3[1-7]m")
    assert colour.search(texts["colour"])
    assert not colour.search(texts["plain"])


def test_a_narrow_terminal_is_taken_for_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert open_console(Terminal()).width == 80


def test_data_is_printed_literally() -> None:
    item = official_case.items()[0]
    responses = official_case.responses()
    reason = "[bold]no[/bold] \x1b[31mred :smile: \u202ereversed [/INST]"
    responses[item.key] = msgspec.structs.replace(responses[item.key], state=State.FAILED, text=None, reason=reason)
    text = _piped(example_run(responses=responses))
    assert r"[bold]no[/bold] \x1b[31mred :smile: \u202ereversed [/INST]" in text
    assert "\x1b" not in text


def test_a_name_that_the_encoding_lacks_does_not_end_the_report() -> None:
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding="ascii")
    item = official_case.items()[0]
    print_report(build_report(example_run(items=(msgspec.structs.replace(item, task="Gesäng"),), verdicts={})), file)
    file.flush()
    text = buffer.getvalue()
    assert b"Ges\\xe4ng" in text
    assert re.search(rb"^Average +\| +0 \| +100 \| +- \|", text, re.MULTILINE)
    assert b"\\u" not in text


def test_the_legend_explains_what_is_there_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    model = build_report(example_run())
    legends = {}
    for width in (80, 100, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        file = Terminal()
        print_report(model, file)
        legends[width] = " ".join(file.getvalue().split("How to read it")[1].split())
    for words, since in (("Dropped", 100), ("Unread", 100), ("The bar is", 120), ("green", 80)):
        assert [words in legend for legend in legends.values()] == [width >= since for width in legends], words
    assert all("Expected" not in legend for legend in legends.values())
    assert "green" not in _piped(example_run())


def test_a_task_is_shown_with_its_interval_or_none_but_no_margin(full_size: ReportModel) -> None:
    lines = _at(80, full_size)
    task = next(task for task in full_size.letters[0].scores.tasks if task.label == "Speech grounding")
    assert any(
        line.startswith(" Speech grounding") and percent_interval(task.strict.interval) in line for line in lines
    )
    assert not any("±" in line for line in lines)
    # Every item right: intervals up to 100.0 take a column more, and give way to the names.
    run = full_size_run()
    items = tuple(item for item in run.items if isinstance(item, FoundationItem))
    right = {item.key: msgspec.structs.replace(run.responses[item.key], text=item.accepted[0]) for item in items}
    narrow = _at(80, build_report(dataclasses.replace(run, items=items, responses=right, verdicts={})))
    line = next(line for line in narrow if line.startswith(" Music instruments classification "))
    assert line.split()[3:] == ["2,000", "100", "100.0", "100.0", "0", "25.0"]


def test_synthetic_data_is_not_set_beside_published_figures() -> None:
    text = _piped(example_run(synthetic=True))
    assert "must not be set beside published ones" in text
    assert "SALMONN" not in text


def test_a_partial_run_says_what_is_missing() -> None:
    items = tuple(item for item in official_case.items() if item.task in ("Sound_AQA", "Audio_Grounding"))
    text = _piped(example_run(items=items, verdicts={}))
    # Official: (16 of 34 + 5 of 13) / 2 = (0.470588 + 0.384615) / 2 = 42.8 %.
    sentence = next(line for line in text.splitlines() if line.startswith("Sound has no figure"))
    assert "Vocal sound classification, Acoustic scene classification" in sentence
    assert "42.8 official" in sentence
    assert "not to be compared" in sentence
    assert re.search(r"^Average of +Items", text, re.MULTILINE)
    assert re.search(r"^Average +\d+ +100 +— ", text, re.MULTILINE)


def test_chat_without_a_judge_says_how_to_get_one() -> None:
    text = _piped(example_run(items=tuple(official_case.chat_items()), verdicts={}))
    assert "No judge has seen the chat responses." in text
    assert "airbench-edge judge" in text


def test_what_is_missing_comes_with_a_remedy() -> None:
    item = official_case.items()[0]
    responses = official_case.responses()
    responses[item.key] = msgspec.structs.replace(
        responses[item.key], state=State.MISSING_AUDIO, text=None, reason="missing: no such file"
    )
    note = Note(Track.CHAT, "record 7", "gt_empty", Severity.SET_ASIDE, "There is no reference answer.", 6)
    text = _piped(example_run(responses=responses, notes=(note,)))
    assert "1 item without a clip" in text
    assert f"{item.path}: missing: no such file" in text
    assert "airbench-edge data check" in text
    assert "1 metadata record set aside" in text
    assert "record 7: There is no reference answer." in text


def test_unknown_tasks_are_shown_and_part_of_no_mean() -> None:
    known = official_case.items()
    renamed = {known[0].key: "Bird_[naming]", known[-1].key: "bird_QA"}
    items = tuple(
        msgspec.structs.replace(item, task=renamed[item.key]) if item.key in renamed else item for item in known
    )
    text = _piped(example_run(items=items))
    for name in renamed.values():
        assert f"Not among the tasks of AIR-Bench, and part of no mean: {name}." in text
        assert re.search(rf"^ ?{re.escape(name)} +1 ", text, re.MULTILINE)


def test_an_aligner_has_a_table_of_its_own() -> None:
    foundation = official_case.foundation_items()
    records = [AlignedLetter(item.uniq_id, item.accepted[0]) for item in foundation]
    aligned = Aligned(JUDGE, tuple(item.uniq_id for item in foundation), {record.key: record for record in records})
    text = _piped(example_run(letters={JUDGE.name: aligned}))
    assert "letters read from the responses" in text
    assert f"letters with the help of {JUDGE.name}, which replied to 540 of 540 responses" in text
    assert "Strict letters were found by: aligned 100.0 %." in text


def test_a_complete_run_has_nothing_to_add() -> None:
    responses = {
        key: msgspec.structs.replace(response, text=response.text or "B")
        for key, response in official_case.responses().items()
    }
    full = {key: response for key, response in responses.items() if (response.text or "").strip()}
    items = tuple(item for item in official_case.items() if item.key in full)
    assert "Worth knowing" not in _piped(example_run(items=items, responses=full))


def test_a_sample_is_called_one_wherever_it_is_counted() -> None:
    sample = judged(official_case.chat_items()[:12], official_case.verdicts().values())
    text = _piped(example_run(verdicts={"judge": sample}))
    assert f"Chat, {JUDGE.name} (sample of 12 of 228 items)" in text
    assert f"scores of 1 to 10 by {JUDGE.name}, on a sample of 12 of 228 items" in text
    assert "sample" not in _piped(example_run())


def test_verdicts_that_are_to_come_are_counted_with_a_remedy() -> None:
    # Two verdicts about each of 228 items, of which 16 are not there.
    stopped = judged(official_case.items(), [*official_case.verdicts().values()][16:])
    text = _piped(example_run(verdicts={"judge": stopped}))
    assert f"16 of 456 verdicts of {JUDGE.name} not given yet" in text
    assert "give the same command again and it goes on" in text
    assert "not given yet" not in _piped(example_run())
