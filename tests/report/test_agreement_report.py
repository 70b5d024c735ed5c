"""Two judges on the same answers, by hand."""

from __future__ import annotations

import io
from dataclasses import replace

import jsonschema
import msgspec
import pytest
from helpers.judged_runs import expecting, items_of, run_by, same

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.agreement import AgreementModel, compare_judges
from airbench_edge.report.agreement.model import Part
from airbench_edge.report.schemas import schemas
from airbench_edge.report.terminal.agreement import print_agreement
from airbench_edge.run.folder import RunData

NAMES = ("small", "large")
FOUR = items_of({("speech_QA", "iemocap"): 3, ("sound_QA", "clotho"): 1})


def everything(model: AgreementModel, reading: int = 0) -> Part:
    return model.readings[reading].parts[-1]


def printed(model: AgreementModel) -> str:
    file = io.StringIO()
    print_agreement(model, file)
    return file.getvalue()


def test_four_answers_by_hand() -> None:
    """Scores of the answer, reference first and model first; the reference always gets 7.

    small: 4 6, 8 8, 5 5, 7 9. large: 4 4, 8 9, 7 7, 7 7. Means: small 5 8 5 8, large 4 8.5 7 7.
    Differences -1, 0.5, 2, -1: mean 0.125. Against 7: small - + - +, large - + 0 0: 2 of 4 alike.
    Gain by standing first: small 2 0 0 2, mean 1; large 0 1 0 0, mean 0.25; difference -2 1 0 -2, mean -0.75.
    Single verdicts: differences 0 2, 0 1, 2 2, 0 2: 3 of 8 the same, 4 of 8 within one.
    """
    small = [("7 4", "6 7"), ("7 8", "8 7"), ("7 5", "5 7"), ("7 7", "9 7")]
    large = [("7 4", "4 7"), ("7 8", "9 7"), ("7 7", "7 7"), ("7 7", "7 7")]
    model = compare_judges([run_by(FOUR, small, large)], NAMES)
    (reading,) = model.readings
    assert [part.name for part in reading.parts] == ["speech", "sound", "all"]
    whole = everything(model)
    assert (whole.agreement.n, whole.first, whole.second) == (4, 6.5, 6.625)
    assert whole.difference.value == pytest.approx(0.125)
    assert (whole.against_reference.n, whole.against_reference.same) == (4, 0.5)
    assert (whole.first_bias, whole.second_bias) == (1.0, 0.25)
    assert whole.bias_difference.value == pytest.approx(-0.75)
    assert (whole.agreement.exact, whole.agreement.within_one) == (3 / 8, 4 / 8)
    assert whole.between_runs.n == 0
    assert [(apart.uniq_id, apart.difference) for apart in model.furthest] == [(2, 2.0), (0, -1.0), (3, -1.0), (1, 0.5)]
    assert (model.furthest[1].first, model.furthest[1].second) == ((4.0, 6.0), (4.0, 4.0))


def test_what_one_judge_has_not_scored_in_both_orders_is_left_out_and_counted() -> None:
    small = [same(4), same(5), same(6), None]
    large = [same(4), ("9 5", None), same(6), same(7)]
    model = compare_judges([run_by(FOUR, small, large)], NAMES)
    assert everything(model).agreement.n == 2
    assert (model.first.only, model.second.only) == (1, 1)
    assert "1 more answer scored by this judge alone" in printed(model)


def test_expected_scores_stand_in_for_the_integers_of_the_judge_that_has_them() -> None:
    """The integers of the small judge are constant, so that only its expected scores can follow the large one."""
    run = run_by(FOUR, [same(8)] * 4, [same(2), same(4), same(6), same(8)])
    told = run.verdicts["small"]
    wanted = {0: 6.0, 1: 6.5, 2: 7.0, 3: 7.5}
    records = {key: expecting(verdict, wanted[int(key[0])]) for key, verdict in told.records.items()}
    run = replace(run, verdicts={**run.verdicts, "small": replace(told, records=records)})
    integers, expected = compare_judges([run], NAMES).readings
    assert (integers.scores, expected.scores) == ("integers", "expected")
    assert integers.parts[-1].agreement.spearman is None
    assert expected.parts[-1].agreement.spearman == pytest.approx(1.0)
    assert (expected.parts[-1].first, expected.parts[-1].second) == (6.75, 5.0)


def two_runs() -> list[RunData]:
    """Scores of three items in two runs: small prefers the second run throughout, large only on the first item."""
    items = FOUR[:3]
    first = run_by(items, [same(4), same(4), same(4)], [same(3), same(8), same(8)], "runs/x")
    second = run_by(items, [same(6), same(6), same(5)], [same(5), same(6), same(8)], "runs/y")
    return [first, second]


def test_several_runs_are_ranked_by_both_judges() -> None:
    model = compare_judges(two_runs(), NAMES)
    # small: 4 and 17/3; large: 19/3 and 19/3, which share the first place.
    ranks = model.readings[0].ranks
    assert [(rank.run, rank.first_rank, rank.second_rank) for rank in ranks] == [("runs/y", 1, 1), ("runs/x", 2, 1)]
    assert ranks[0].first == pytest.approx(17 / 3)
    # Pairs of runs: small says + + +, large + - 0.
    between = everything(model).between_runs
    assert between.n == 3
    assert between.same == pytest.approx(1 / 3)
    # Differences of the items, averaged over the runs first: (-1 - 1) / 2, (4 + 0) / 2, (4 + 3) / 2.
    assert everything(model).difference.n == 3
    assert everything(model).difference.value == pytest.approx(1.5)
    out = printed(model)
    assert "runs/y" in out
    assert "Place" in out


def test_an_instrument_that_changed_between_the_runs_is_refused() -> None:
    first, second = two_runs()
    other = JudgeIdentity("llama", "small", {"sha256": "bb" * 32})
    changed = replace(second.verdicts["small"], identity=other)
    second = replace(second, verdicts={**second.verdicts, "small": changed})
    with pytest.raises(InputError, match="small in runs/y is another instrument than in runs/x"):
        compare_judges([first, second], NAMES)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("huge", "large"), r"no verdicts by huge: name one of its verdict files \(small, large\)"),
        (("", "large"), "2 judges whose names begin with"),
    ],
)
def test_unknown_judges_are_named_with_the_known_ones(names: tuple[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        compare_judges(two_runs(), names)


def test_the_beginning_of_a_name_will_do() -> None:
    assert compare_judges(two_runs(), ("sm", "la")) == compare_judges(two_runs(), NAMES)


def test_nothing_in_common_is_one_sentence() -> None:
    run = run_by(FOUR, [same(4), None, None, None], [None, same(4), None, None])
    with pytest.raises(InputError, match="have not scored one answer in common"):
        compare_judges([run], NAMES)


def test_the_page_names_everything_and_shows_where_they_differ() -> None:
    model = compare_judges([run_by(FOUR, [same(4)] * 4, [same(4), same(4), same(9), same(5)])], NAMES)
    out = printed(model)
    for words in ("small", "large", "Health card: none", "Speech", "Sound", "All", "Spearman", "Bland and Altman"):
        assert words in out
    assert "speech_QA 2   4 4 → 9 9   +5.0" in out
    assert "Answer 2." in out
    agreed = compare_judges([run_by(FOUR, [same(4)] * 4, [same(4)] * 4)], NAMES)
    assert "No answer was scored otherwise." in printed(agreed)


def test_as_json_it_has_its_schema() -> None:
    encoded = msgspec.json.decode(msgspec.json.encode(compare_judges(two_runs(), NAMES)))
    jsonschema.Draft202012Validator(schemas()["agreement-1"]).validate(encoded)
