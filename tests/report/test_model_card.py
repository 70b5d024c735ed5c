from __future__ import annotations

import re
from typing import Any

import yaml
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged, one_item_run
from helpers.made_items import question

from airbench_edge.report.build import build_report
from airbench_edge.report.exports import model_card


def test_model_card_is_a_model_index_with_every_complete_figure() -> None:
    model = build_report(example_run())
    (entry,) = yaml.safe_load(model_card(model))["model-index"]
    foundation, chat = entry["results"]
    assert entry["name"] == "nano"
    assert foundation["dataset"]["type"] == "qyang1021/AIR-Bench-Dataset"
    assert foundation["task"] == {"type": "audio-text-to-text"}
    figures = {metric["name"]: metric["value"] for metric in chat["metrics"]}
    assert figures[f"Average, official rules, judge {JUDGE.name}"] == official_case.expected()["chat"]["average"]
    assert len(foundation["metrics"]) == 2 * 4
    assert len(chat["metrics"]) == 2 * 5


def test_model_card_of_synthetic_data_does_not_name_the_published_set() -> None:
    text = model_card(build_report(example_run(synthetic=True)))
    assert "qyang1021" not in text
    assert "(synthetic)" in text


def test_model_card_leaves_out_what_is_incomplete() -> None:
    text = model_card(build_report(one_item_run(question(1), "B")))
    assert yaml.safe_load(text)["model-index"] == [{"name": "nano", "results": []}]


def _metrics(**changes: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    (entry,) = yaml.safe_load(model_card(build_report(example_run(**changes))))["model-index"]
    return [metric for result in entry["results"] for metric in result["metrics"]]


def test_figures_of_a_whole_run_say_how_many_items_they_cover() -> None:
    metrics = {metric["name"]: metric["args"] for metric in _metrics()}
    average = metrics["Average, strict rules"]
    assert (average["n"], average["planned"]) == (540, 540)
    # 23 of the 228 chat items have a verdict that neither rule can read.
    average = metrics[f"Average, strict rules, judge {JUDGE.name}"]
    assert (average["n"], average["planned"]) == (205, 228)


def test_figures_of_a_run_that_is_not_finished_say_so_in_their_name() -> None:
    # Every second response is there: 270 of 540 and 114 of 228.
    responses = {key: one for place, (key, one) in enumerate(official_case.responses().items()) if place % 2}
    verdicts = judged(official_case.items(), official_case.verdicts().values())
    metrics = {metric["name"]: metric["args"] for metric in _metrics(responses=responses, verdicts={"judge": verdicts})}
    assert metrics["Average, strict rules, unfinished: 270 of 540 items"]["n"] == 270
    assert all("unfinished" in name for name in metrics)


def test_figures_of_a_judge_that_is_not_finished_say_so_in_their_name() -> None:
    # A verdict in ten is not there.
    there = [one for place, one in enumerate(official_case.verdicts().values()) if place % 10]
    verdicts = judged(official_case.items(), there)
    names = [metric["name"] for metric in _metrics(verdicts={"judge": verdicts})]
    assert any(re.search(r"^Average, strict rules, judge .*, unfinished: \d+ of 228 items$", name) for name in names)
    assert "Average, strict rules" in names


def test_figures_of_a_sample_say_so_in_their_name() -> None:
    sample = official_case.chat_items()[::2]
    names = [
        metric["name"] for metric in _metrics(verdicts={"judge": judged(sample, official_case.verdicts().values())})
    ]
    assert f"Average, strict rules, judge {JUDGE.name}, sample of 114 of 228 items" in names
