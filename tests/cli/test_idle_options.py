"""Options that would be without effect, and words of libraries, in usage errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

OFFICIAL = Path(__file__).parent.parent / "cases" / "official"
MODEL = f"recorded:{OFFICIAL / 'responses.jsonl'}"
REPLIES = f"recorded:{OFFICIAL / 'judge_replies.jsonl'}"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--judge-limit", "3"], "--judge-limit needs a --judge."),
        (["--judge-retries", "1"], "--judge-retries needs a --judge."),
        (["--max-cost", "1"], "--max-cost is for openai: judges"),
        (["--judge", REPLIES, "--base-url", "http://x/v1"], "--base-url is for openai: judges"),
        (["--judge", REPLIES, "--judge-temperature", "1"], "--judge-temperature is for openai: judges"),
        (["--judge", REPLIES, "--no-judge-cache"], "--judge-cache is for openai: judges"),
        (["--judge", "openai:gpt-4", "--prices", "prices.toml"], "--prices needs a --max-cost"),
        (["--judge", REPLIES, "--free-form"], "--free-form is for llama: judges"),
        (["--judge", REPLIES, "--judge-prompt", "edge"], "--judge-prompt is for judges that are asked"),
        (["--judge", REPLIES, "--align", "all"], "holds verdicts and no letters"),
        (["--device", "cpu"], "--device is for models that run"),
        (["--dtype", "int8"], "--dtype is for models that run"),
    ],
)
def test_an_option_without_effect_is_refused_and_nothing_begun(options: list[str], says: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ended = airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--out", out, *options)
    assert ended.code == 2
    assert says in " ".join(ended.err.replace("│", " ").split())
    assert not out.exists()


def test_align_and_estimate_and_check_refuse_too(tmp_path: Path) -> None:
    assert "no letters" in airbench_edge("align", tmp_path, "--judge", REPLIES).err
    estimated = airbench_edge("estimate", "--model", MODEL, "--data", OFFICIAL, "--device", "cpu")
    assert "--device is for models that run" in estimated.err
    assert "--batch is for openai: judges" in airbench_edge("judge", "check", "llama:x.gguf", "--batch").err


def test_prices_are_of_use_to_an_estimate(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('as_of = "2027-02-01"\n[models]\n"mine" = { input = 1.0, output = 1.0 }\n', encoding="utf-8")
    ended = airbench_edge(
        "estimate", "--model", MODEL, "--data", OFFICIAL, "--judge", "openai:mine", "--prices", prices
    )
    assert ended.code == 0, ended.err
    assert "2027-02-01" in ended.out


@pytest.mark.parametrize(("option", "choices"), [("--judge-prompt", "'edge'"), ("--track", "'chat'")])
def test_a_value_that_is_no_choice_is_named_without_jargon(option: str, choices: str) -> None:
    err = airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--out", "x", option, "other").err
    assert "'other' is not one of" in err
    assert choices in err
    assert "Value error" not in err
