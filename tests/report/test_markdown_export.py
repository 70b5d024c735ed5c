from __future__ import annotations

from helpers import official_case
from helpers.example_run import example_run, judged, one_item_run
from helpers.made_items import question

from airbench_edge.report.build import build_report
from airbench_edge.report.exports import markdown


def test_markdown_holds_the_figures_of_the_terminal() -> None:
    text = markdown(build_report(example_run()))
    assert "| Audio grounding | 21 of 21 | 38.5 | 17.7–64.5 | 52.4 | 32.4–71.7 | 4 | 26.2 |" in text
    assert "| **Average** | 205 of 228 | 4.77 | 4.77 | 4.77 |" in text
    for table in text.split("###")[1:]:
        widths = {line.count(" |") for line in table.splitlines() if line.startswith("|")}
        assert len(widths) == 1, table
    assert "not the whole" not in text


def test_markdown_says_that_data_are_synthetic() -> None:
    assert "must not be set beside published ones" in markdown(build_report(example_run(synthetic=True)))


def test_markdown_takes_names_literally() -> None:
    run = one_item_run(question(1, task="a|b<img>\n**c**"), "B")
    assert r"| a\|b\<img\>\\n\*\*c\*\* | 1 of 1 |" in markdown(build_report(run))


def test_markdown_calls_a_sample_one() -> None:
    sample = judged(official_case.chat_items()[:12], official_case.verdicts().values())
    assert "(llama), on a sample of 12 of 228 items" in markdown(build_report(example_run(verdicts={"judge": sample})))
    assert "sample" not in markdown(build_report(example_run()))
