from __future__ import annotations

import json

import jsonschema
import pytest
from helpers import official_case
from helpers.command_line import airbench_edge
from helpers.judge_weights import TINY_JUDGE

from airbench_edge.report.schemas import schemas

OFFICIAL = official_case.CASE
RECORDED = f"recorded:{OFFICIAL / 'responses.jsonl'}"


def test_a_person_reads_counts_tokens_hours_and_price() -> None:
    code, out, err = airbench_edge(
        *("estimate", "--model", "nano", "--data", "small", "--limit", 60),
        *("--judge", f"llama:{TINY_JUDGE}", "--judge", "openai:gpt-4o", "--judge-limit", 6),
    )
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    for words in (
        "chat items",
        "clips measured",
        "s an item",
        "12 prompts",
        "by its own",
        "USD if each reply is two numbers",
        "Together",
    ):
        assert words in out


def test_json_follows_its_schema() -> None:
    code, out, _ = airbench_edge(
        "estimate", "--model", RECORDED, "--data", OFFICIAL, "--judge", "openai:gpt-4o", "--batch", "--json"
    )
    result = json.loads(out)
    assert code == 0
    jsonschema.Draft202012Validator(schemas()["estimate-1"]).validate(result)
    assert result["judging"][0]["requests"] == 456


@pytest.mark.parametrize("option", ["--data", "--model"])
def test_bad_input_is_one_sentence(option: str) -> None:
    arguments = {"--model": RECORDED, "--data": str(OFFICIAL), option: "gone"}
    code, out, err = airbench_edge("estimate", *(part for pair in arguments.items() for part in pair))
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_help_shows_an_example() -> None:
    assert "airbench-edge estimate --model qwen2-audio/" in " ".join(airbench_edge("estimate", "--help").out.split())


def test_it_says_what_the_highest_price_is_for_and_speaks_of_hours_only_where_there_are_any() -> None:
    _, known, _ = airbench_edge("estimate", "--model", RECORDED, "--data", OFFICIAL, "--judge", "openai:gpt-4o")
    assert "USD if each is as long as allowed, at prices of" in known
    assert "in place of responses" not in known
    assert "Hours" not in known
    _, unknown, _ = airbench_edge(
        *("estimate", "--model", "nano", "--data", "small", "--limit", 60, "--judge", "openai:gpt-4o"),
    )
    assert "USD if each is as long as allowed, with responses as long as the reference answers, at" in unknown
    assert "Hours are for this machine" in unknown
