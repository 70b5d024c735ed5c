from __future__ import annotations

import io

import msgspec
import pytest
from helpers.example_run import JUDGE, example_run, judged
from helpers.official_case import items, verdicts

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.build import build_report
from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal import print_report

API = JudgeIdentity("openai", "gpt-4o", {"model": "gpt-4o", "server": "api.openai.com"})


def report(judge: JudgeIdentity, **fields: object) -> ReportModel:
    """The example run; every verdict took 2,000 tokens in and 10 out."""
    given = [
        msgspec.structs.replace(v, prompt_tokens=2000, completion_tokens=10, **fields) for v in verdicts().values()
    ]
    return build_report(example_run(verdicts={judge.name: judged(items(), given, judge)}))


def text(model: ReportModel) -> str:
    file = io.StringIO()
    print_report(model, file)
    return file.getvalue()


def test_tokens_are_summed_and_priced() -> None:
    model = report(API)
    count, usage = len(verdicts()), model.judges[0].usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (2000 * count, 10 * count)
    # GPT-4o: 2.50 USD in and 10 out for a million tokens, so 0.0051 a verdict.
    assert usage.cost_usd == pytest.approx(0.0051 * count)
    assert f"{2000 * count:,} read and {10 * count:,} written, {0.0051 * count:.2f} USD at the list price" in text(
        model
    )


@pytest.mark.parametrize(
    "judge",
    [
        JUDGE,
        JudgeIdentity("openai", "gpt-4o", {"model": "gpt-4o", "server": "127.0.0.1:8080"}),
        JudgeIdentity("openai", "gpt-99", {"model": "gpt-99", "server": "api.openai.com"}),
    ],
    ids=["local", "another server", "unknown model"],
)
def test_no_price_is_made_up(judge: JudgeIdentity) -> None:
    model = report(judge)
    assert model.judges[0].usage.cost_usd is None
    assert " written\n" in text(model)


def test_what_departs_from_the_identity_is_shown() -> None:
    model = report(API, asked_with="default temperature", attempts=2)
    count = len(verdicts())
    assert model.judges[0].asked_with == {"default temperature": count}
    assert model.judges[0].usage.asked_again == count
    shown = text(model)
    assert f"asked with default temperature ({count} verdicts)" in shown
    assert f"{count} verdicts took more than one attempt" in shown


def test_a_judge_without_tokens_has_no_line_of_them() -> None:
    assert "Tokens" not in text(build_report(example_run()))
