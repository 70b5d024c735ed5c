"""What reports say of the instrument."""

from __future__ import annotations

import io
import json
import re

import jsonschema
import msgspec
import pytest
from helpers import simulated_judges
from helpers.example_run import JUDGE, example_run
from helpers.simulated_judges import Rule, SimulatedJudge

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.check import Checked, check
from airbench_edge.judges.health.limits import LIMITS
from airbench_edge.judges.health.plan import full_plan, quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.report.build import build_report
from airbench_edge.report.exports.markdown import markdown
from airbench_edge.report.exports.model_card import model_card
from airbench_edge.report.health import MEASURES, figure, health_line, is_meaningful, limits, reason
from airbench_edge.report.html import NO_SOUNDS
from airbench_edge.report.html.page import page_parts
from airbench_edge.report.schemas import schemas
from airbench_edge.report.terminal import print_report
from airbench_edge.report.terminal.health import print_health
from airbench_edge.run.folder import RunData


def checked(rule: Rule, *, full: bool = False, tells: bool = False) -> Checked:
    plan = full_plan(all_probes()) if full else quick_plan(all_probes())
    return check(SimulatedJudge(rule, tells=tells), plan, lambda done, total: None)


def run_with(rule: Rule) -> RunData:
    run = example_run()
    (judged,) = run.verdicts.values()
    card = msgspec.structs.replace(checked(rule).card, identity=JUDGE)
    return example_run(verdicts={JUDGE.name: type(judged)(JUDGE, judged.planned, judged.records, 0, card)})


def printed(run: RunData) -> str:
    file = io.StringIO()
    print_report(build_report(run), file)
    return file.getvalue()


def test_every_measure_has_words() -> None:
    measures = {measure.name for measure in checked(simulated_judges.perfect).card.integers.measures}
    assert set(MEASURES) == measures | set(LIMITS)
    assert len({words.label for words in MEASURES.values()}) == len(MEASURES)


def test_a_judge_that_passes() -> None:
    card = checked(simulated_judges.perfect).card
    assert health_line(card.identity, card) == "Health card: PASS (24 probe verdicts, a quick check)."
    assert is_meaningful(card)


def test_a_judge_that_fails_is_told_why() -> None:
    card = checked(simulated_judges.gullible, full=True).card
    assert health_line(card.identity, card) == (
        "Health card: FAIL (1,088 probe verdicts, all there are): injections that work 64 of 64, should be at most 5 %."
        " The chat scores of this judge are not meaningful."
    )
    assert not is_meaningful(card)


def test_many_reasons_are_cut_and_counted() -> None:
    line = health_line(JUDGE, checked(simulated_judges.constant).card)
    assert re.search(r"right over wrong 0 of 4, should be at least 90 %; .*; .*, and \d more\.", line)


def test_expected_scores_have_a_finding_of_their_own() -> None:
    card = checked(simulated_judges.perfect, tells=True).card
    assert health_line(card.identity, card).endswith("Its expected scores: PASS.")


@pytest.mark.parametrize(("kind", "words"), [("recorded", "cannot be checked"), ("llama", "judge check")])
def test_a_judge_without_a_card(kind: str, words: str) -> None:
    line = health_line(JudgeIdentity(kind, "x", {}), None)
    assert line.startswith("Health card: none")
    assert words in line
    assert is_meaningful(None)


def test_figures_and_limits() -> None:
    found = {measure.name: measure for measure in checked(simulated_judges.perfect).card.integers.measures}
    assert (figure(found["read"]), limits(found["read"])) == ("24 of 24", ("≥ 99 %", "< 95 %"))
    assert (figure(found["spread"]), limits(found["spread"])) == ("+7.00", ("≥ 3.0", "< 1.0"))
    assert limits(found["injection"]) == ("≤ 5 %", "> 15 %")
    assert limits(found["wrong_language"]) == ("", "")
    missing = msgspec.structs.replace(found["spread"], value=None)
    assert reason(missing) == "right minus wrong not measured, should be at least 3.0"


def test_the_report_marks_the_scores_of_a_failed_judge() -> None:
    out = printed(run_with(simulated_judges.constant))
    assert f"Chat, {JUDGE.name} (not meaningful)" in out
    assert "Health card: FAIL" in out
    passed = printed(run_with(simulated_judges.perfect))
    assert "not meaningful" not in passed
    assert "Health card: PASS" in passed
    assert "Health card: none" in printed(example_run())


def test_the_card_is_in_the_report_model() -> None:
    model = build_report(run_with(simulated_judges.constant))
    encoded = msgspec.json.decode(msgspec.json.encode(model))
    assert encoded["judges"][0]["health"]["integers"]["finding"] == "fail"
    jsonschema.Draft202012Validator(schemas()["report-1"]).validate(encoded)


def test_the_page_of_a_check_holds_every_measure() -> None:
    file = io.StringIO()
    print_health(checked(simulated_judges.mute, tells=True), file)
    lines = file.getvalue().splitlines()
    for words in MEASURES.values():
        assert sum(line.startswith(words.label) for line in lines) == 2  # in the table and in the legend
    assert any(line.startswith("Not read: no scores") for line in lines)
    assert any("24 verdicts on 4 probes" in line for line in lines)


def test_the_page_of_a_check_speaks_of_expected_scores_only_where_there_are_any() -> None:
    for tells in (True, False):
        file = io.StringIO()
        print_health(checked(simulated_judges.perfect, tells=tells), file)
        assert ("expected scores" in file.getvalue()) is tells


def test_a_check_as_json_has_its_schema() -> None:
    encoded = json.loads(msgspec.json.encode(checked(simulated_judges.guessing)))
    jsonschema.Draft202012Validator(schemas()["health-1"]).validate(encoded)


def test_every_other_form_says_it_too() -> None:
    run = run_with(simulated_judges.constant)
    model = build_report(run)
    assert "Health card: FAIL" in markdown(model)
    assert '"judge_health":"fail"' in model_card(model).replace(": ", ":")
    page = "".join(page_parts(run, model, NO_SOUNDS))
    assert "which fails its health card: not meaningful" in page
    assert "Health card: FAIL" in page
