from __future__ import annotations

import csv
import dataclasses
import io

import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, manifest, one_item_run
from helpers.made_items import answered, by_key, question, unanswered

from airbench_edge.benchmark.records import AlignedLetter, State
from airbench_edge.report.build import build_report
from airbench_edge.report.exports import items_csv, tasks_csv
from airbench_edge.report.exports.csv_table import csv_table
from airbench_edge.run.folder import Aligned


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-2",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =HYPERLINK(1)",
        "＝1",
        '="a,b"\n;',
        "=cmd|' /C calc'!A0",
    ],
)
def test_a_text_is_never_a_formula(text: str) -> None:
    (row,) = rows(csv_table(["a", "b"], [{"a": text, "b": -1.5}]))
    assert row == {"a": f"'{text}", "b": "-1.5"}


@pytest.mark.parametrize("text", ['say "hi", twice', "two\nlines", "two\r\nlines", "tail\r", "日本語 é", "'=1", "a=b"])
def test_any_other_text_comes_back_as_it_was(text: str) -> None:
    assert rows(csv_table(["a"], [{"a": text}])) == [{"a": text}]


def test_control_characters_are_written_out() -> None:
    (row,) = rows(csv_table(["a"], [{"a": "\x00nul \x1b[31mred\x7f\x9b \ttab\nline"}]))
    assert row == {"a": "\\x00nul \\x1b[31mred\\x7f\\x9b \ttab\nline"}


def test_an_unknown_column_is_no_silent_loss() -> None:
    with pytest.raises(ValueError, match="oops"):
        csv_table(["a"], [{"oops": 1}])


def test_tasks_csv_has_a_row_a_figure_with_all_digits() -> None:
    model = build_report(example_run())
    table = rows(tasks_csv(model))
    found = {(row["track"], row["level"], row["name"]): row for row in table}
    # 19 tasks, 3 categories, 1 average; 5 groups, 4 categories, 1 average.
    assert len(table) == len(found) == 23 + 10
    expected = official_case.expected()
    average = found["chat", "average", "average"]
    assert float(average["official"]) == expected["chat"]["average"]
    assert average["source"] == JUDGE.name
    task = found["foundation", "task", "Audio_Grounding"]
    assert (task["official_right"], task["official_n"]) == ("5", "13")
    assert float(task["official"]) == 5 / 13
    assert found["chat", "group", "sound"]["reference_first_model"] == repr(
        expected["chat"]["reference_first"]["sound"]["model"]
    )


def test_items_csv_has_a_row_an_item_from_which_the_figures_follow() -> None:
    run = example_run()
    table = rows(items_csv(run))
    assert [(row["track"], row["uniq_id"]) for row in table] == [
        (item.key.track.value, str(item.uniq_id)) for item in run.items
    ]
    strict = build_report(run).letters[0].scores
    assert sum(row["strict_right"] == "1" for row in table) == sum(task.strict.right for task in strict.tasks)
    speech = [
        row[f"{JUDGE.name}:model_first:official_model"]
        for row in table
        if row["task"] in ("speech_QA", "speech_dialogue_QA")
    ]
    known = [float(score) for score in speech if score]
    assert sum(known) / len(known) == official_case.expected()["chat"]["model_first"]["speech"]["model"]


def test_items_csv_tells_what_was_not_answered_apart_from_what_was_wrong() -> None:
    said, unheard, ahead = question(1), question(2), question(3)
    items = (said, unheard, ahead)
    responses = by_key(answered(said, "drum"), unanswered(unheard, State.MISSING_AUDIO))
    table = rows(items_csv(example_run(items=items, manifest=manifest(items), responses=responses, verdicts={})))
    assert [row["state"] for row in table] == ["answered", "missing_audio", "pending"]
    assert [row["strict_right"] for row in table] == ["0", "", ""]
    assert (table[0]["strict_letter"], table[0]["right_letters"], table[0]["choice_c"]) == ("C", "B", "drum")
    assert table[1]["reason"] == "made for a test"


def test_items_csv_has_the_letters_of_an_aligner_beside_those_of_the_responses() -> None:
    item = question(1)
    aligned = Aligned(JUDGE, (1,), {item.key: AlignedLetter(1, "B")})
    table = rows(items_csv(dataclasses.replace(one_item_run(item, "hm"), letters={"qwen": aligned})))
    assert (table[0]["strict_letter"], table[0]["qwen:strict_letter"], table[0]["qwen:reply"]) == ("", "B", "B")


def test_a_response_cannot_inject_a_formula_or_a_column() -> None:
    (row,) = rows(items_csv(one_item_run(question(1), '=HYPERLINK("http://x"),"y"\nB')))
    assert row["response"] == '\'=HYPERLINK("http://x"),"y"\nB'
    assert None not in row
