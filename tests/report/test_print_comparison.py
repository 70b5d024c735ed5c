from __future__ import annotations

import io
from dataclasses import replace

import msgspec
from helpers.run_pairs import answers_run, judged_run

from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.report.compare import compare_runs
from airbench_edge.report.terminal.print_comparison import print_comparison
from airbench_edge.run.folder import RunData


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(*runs: RunData, file: io.StringIO | None = None, rules: RulesName = "strict") -> str:
    file = file or io.StringIO()
    print_comparison(compare_runs(runs, rules), file)
    return file.getvalue()


def test_a_file_gets_every_item_and_no_colour() -> None:
    text = printed(answers_run("one", ["B"] * 30), answers_run("two", ["A"] * 30))
    assert "\x1b" not in text
    assert text.count("right → wrong  “B” → “A”") == 30
    assert all(line == line.rstrip() for line in text.splitlines())
    # 30 of 30 fell: p = 2 / 2^30.
    row = next(line for line in text.splitlines() if "Music question answering" in line)
    assert row.split()[3:] == ["30", "100.0", "0.0", "-100.0", "-100.0", "to", "-100.0", "30", "0", "<0.001", "<0.001"]


def test_a_terminal_gets_some_items_and_the_number_of_the_others() -> None:
    text = printed(answers_run("one", ["B"] * 30), answers_run("two", ["A"] * 30), file=Terminal())
    assert text.count("right → wrong") == 10
    assert "and 20 more" in text
    assert max(map(len, text.splitlines())) < 200


def test_a_terminal_gets_the_settings_that_matter_and_the_number_of_the_others() -> None:
    first, second = answers_run("one", ["B"]), answers_run("two", ["A"])
    files = {f"sha256.{number}": "00" for number in range(30)}
    model = msgspec.structs.replace(
        first.manifest.model, name="other", details={**first.manifest.model.details, **files}
    )
    second = replace(second, manifest=msgspec.structs.replace(second.manifest, model=model))
    text = printed(first, second, file=Terminal())
    assert text.count("Differs") == 11
    assert 'model.name: "nano" → "other"' in text
    assert "… and 21 more: --html FILE" in text
    assert printed(first, second).count("Differs") == 31


def test_scores_have_two_digits_and_a_group_that_is_its_category_has_one_row() -> None:
    text = printed(judged_run("one", [4, 5]), judged_run("two", [5, 8]))
    speech = [line.split() for line in text.splitlines() if line.lstrip().startswith("Speech")]
    assert [row[:5] for row in speech] == [["Speech", "2", "4.50", "6.50", "+2.00"]]
    assert "5.0 → 8.0" in text
    assert "chat: 0 of 2 the very same (0.0 %)" in text


def test_text_of_a_model_cannot_move_the_cursor() -> None:
    text = printed(answers_run("one", ["B\x1b[2J"]), answers_run("two", ["A"]))
    assert "\x1b" not in text
    assert "\\x1b[2J" in text
