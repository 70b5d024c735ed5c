from __future__ import annotations

import yaml
from helpers import official_case
from helpers.example_run import JUDGE, example_run, one_item_run
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
