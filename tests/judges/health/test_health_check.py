"""Judges with known faults, a real one with random weights, and two that people have."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import simulated_judges
from helpers.judge_weights import TINY_JUDGE, qwen, smollm2
from helpers.simulated_judges import Rule, SimulatedJudge

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import Judge
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.judges.health.check import Checked, check, edition
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.plan import Trial, full_plan, quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.judges.llamacpp import LlamaJudge
from airbench_edge.judges.recorded import RecordedJudge

CASES = Path(__file__).parents[2] / "cases"
QUICK, FULL = quick_plan(all_probes()), full_plan(all_probes())


def checked(judge: Judge, plan: list[Trial]) -> Checked:
    return check(judge, plan, lambda done, total: None)


def failed(card: HealthCard) -> set[str]:
    return {measure.name for measure in card.integers.measures if measure.finding is Finding.FAIL}


@pytest.mark.parametrize("plan", [QUICK, FULL], ids=["quick", "full"])
def test_a_perfect_judge_passes(plan: list[Trial]) -> None:
    card = checked(SimulatedJudge(simulated_judges.perfect), plan).card
    assert card.verdict is Finding.PASS
    assert card.failures == {}
    assert (card.verdicts, card.full) == (len(plan), plan is FULL)


@pytest.mark.parametrize(
    ("rule", "quick", "full"),
    [
        (
            simulated_judges.constant,
            {"right_over_wrong", "spread", "commonest_reply", "reference_over_worse"},
            {"right_over_wrong", "right_over_partly", "spread", "commonest_reply", "nothing_scores_low"},
        ),
        (simulated_judges.guessing, {"reference_over_worse"}, {"right_over_wrong", "spread", "same_text_same_score"}),
        (simulated_judges.first_is_best, {"position_bias"}, {"position_bias"}),
        (simulated_judges.wordy, {"right_over_wrong"}, {"right_over_long_wrong", "length_bias"}),
        (simulated_judges.gullible, {"injection"}, {"injection"}),
        (simulated_judges.mute, {"read"}, {"read"}),
    ],
)
def test_faults_are_found_by_name(rule: Rule, quick: set[str], full: set[str]) -> None:
    for plan, faults in ((QUICK, quick), (FULL, full)):
        card = checked(SimulatedJudge(rule), plan).card
        assert card.verdict is Finding.FAIL
        assert faults <= failed(card), failed(card)


def test_replies_without_scores_are_counted_by_reason() -> None:
    card = checked(SimulatedJudge(simulated_judges.mute), FULL).card
    read = card.integers.measures[0]
    assert card.failures == {"no_scores": read.n - round((read.value or 0) * read.n)}
    assert read.n == len(FULL)
    assert 0.65 < (read.value or 0) < 0.75


def test_expected_scores_stand_beside_the_integers_and_do_not_decide() -> None:
    told = checked(SimulatedJudge(simulated_judges.perfect, tells=True), QUICK).card
    assert told.expected is not None
    # 0.4 lower throughout: every difference, and so every finding, is that of the integers.
    assert [measure.finding for measure in told.expected.measures] == [
        measure.finding for measure in told.integers.measures
    ]
    assert checked(SimulatedJudge(simulated_judges.perfect), QUICK).card.expected is None


def test_the_order_in_which_replies_arrive_changes_nothing() -> None:
    class Backwards(SimulatedJudge):
        def replies(self, requests):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            return reversed(list(super().replies(requests)))

    one, other = (checked(kind(simulated_judges.perfect), QUICK) for kind in (SimulatedJudge, Backwards))
    assert one.card == other.card


def test_progress_is_told_and_only_lasting_cards_are_kept() -> None:
    told: list[tuple[int, int]] = []
    good = check(SimulatedJudge(simulated_judges.perfect), QUICK, lambda done, total: told.append((done, total)))
    assert told == [(done, 24) for done in range(1, 25)]
    assert good.is_lasting
    assert good.card.edition == edition()


def test_recorded_verdicts_cannot_be_checked() -> None:
    judge = RecordedJudge(CASES / "official" / "judge_replies.jsonl")
    with pytest.raises(InputError, match="check the judge that gave them"):
        checked(judge, QUICK)


def test_random_weights_fail() -> None:
    """A real model in process; six verdicts on one probe are enough to see that it says the same to everything."""
    judge = LlamaJudge(TINY_JUDGE)
    card = checked(judge, quick_plan(all_probes(), 1)).card
    judge.close()
    assert card.identity == judge.identity
    assert card.verdicts == 6
    assert card.verdict is not Finding.PASS
    assert card.expected is not None
    mass = next(measure for measure in card.integers.measures if measure.name == "format_mass")
    assert mass.n == 6


@pytest.mark.slow
def test_smollm_fails() -> None:
    judge = LlamaJudge(smollm2())
    card = checked(judge, QUICK).card
    judge.close()
    assert card.verdict is Finding.FAIL
    assert {"format_mass", "right_over_wrong", "reference_over_worse"} <= failed(card)


@pytest.mark.slow
def test_a_model_of_1500_million_parameters_discriminates_by_its_expected_scores_only() -> None:
    judge = LlamaJudge(qwen())
    card = checked(judge, QUICK).card
    judge.close()
    assert card.verdict is Finding.FAIL
    assert card.expected is not None
    integers, expected = (
        {measure.name: measure.value for measure in reading.measures} for reading in (card.integers, card.expected)
    )
    assert integers["right_over_wrong"] == 0.0
    assert expected["right_over_wrong"] == expected["reference_over_worse"] == 1.0
