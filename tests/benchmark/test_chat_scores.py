from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from helpers.made_items import answered, by_key, open_question, unanswered, verdicts

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.records import Order, State, Verdict
from airbench_edge.benchmark.scores.bounds import Bounds
from airbench_edge.benchmark.scores.chat import ChatScores, score_chat
from airbench_edge.benchmark.scores.ratings import Scores, rate
from airbench_edge.benchmark.tasks import CHAT_TASKS

Replies = Mapping[ChatItem, tuple[str | None, str | None]]


def _score(replies: Replies) -> ChatScores:
    responses = by_key(*(answered(item, "A woman.") for item in replies))
    records = [verdict for item, texts in replies.items() for verdict in verdicts(item, *texts)]
    return score_chat(rate(replies, responses, {record.key: record for record in records}))


def _one_of_each(texts: tuple[str | None, str | None]) -> Replies:
    return {open_question(number, task.name, task.folders[0].dataset): texts for number, task in enumerate(CHAT_TASKS)}


def test_scores_are_named_by_whose_they_are() -> None:
    # Reference first: 8 for the reference, 6 for the model. Model first: 5 for the model, 9 for the reference.
    group = _score({open_question(1): ("8 6", "5 9")}).groups[0]
    assert (group.reference_first.model, group.reference_first.reference) == (6, 8)
    assert (group.model_first.model, group.model_first.reference) == (5, 9)
    assert group.official.value == group.strict.score.value == 5.5
    assert group.strict.reference == 8.5


def test_official_averages_runs_and_strict_averages_items() -> None:
    # Official: first order (6 + 2) / 2 = 4, second order 8 / 1, together 6. Strict: first item only, (6 + 8) / 2 = 7.
    group = _score({open_question(1): ("9 6", "8 9"), open_question(2): ("9 2", "no idea")}).groups[0]
    assert group.official.value == 6
    assert (group.strict.score.value, group.strict.n, group.strict.failed) == (7, 1, 1)
    assert (group.reference_first.failed, group.model_first.failed) == (0, 1)


def test_bounds_fill_what_is_not_there() -> None:
    # Verdicts of the model: 6, 8, 2 and one that is missing: (6 + 8 + 2 + 1) / 4 = 4.25 and (6 + 8 + 2 + 10) / 4 = 6.5.
    group = _score({open_question(1): ("9 6", "8 9"), open_question(2): ("9 2", None)}).groups[0]
    assert group.strict.bounds == Bounds(4.25, 6.5)
    assert group.strict_failures == {"too_long": 1}


def test_only_a_strictly_higher_score_wins() -> None:
    replies = {open_question(1): ("7 7", "8 7"), open_question(2): ("5 6", "5 6")}
    group = _score(replies).groups[0]
    # Reference first: 7 against 7 and 6 against 5; model first: 8 against 7 and 5 against 6.
    assert (group.reference_first.win_rate, group.model_first.win_rate) == (0.5, 0.5)
    # Items: 7.5 against 7 wins, 5.5 against 5.5 is a tie.
    assert (group.strict.win_rate, group.strict.tie_rate) == (0.5, 0.5)


def test_items_of_a_category_are_pooled_and_mixed_is_the_mean_of_its_groups() -> None:
    replies = {
        open_question(1, "sound_QA", "clotho"): ("9 4", "4 9"),
        open_question(2, "sound_QA", "clotho"): ("9 4", "4 9"),
        open_question(3, "sound_generation_QA", "clotho"): ("9 7", "7 9"),
        open_question(4, "speech_and_sound_QA", "audiocaps_cv"): ("9 2", "2 9"),
        open_question(5, "speech_and_sound_QA", "audiocaps_cv"): ("9 4", "4 9"),
        open_question(6, "speech_and_music_QA", "musiccaps_cv"): ("9 9", "9 9"),
    }
    categories = {category.name: category for category in _score(replies).categories}
    # Sound (4 + 4 + 7) / 3 = 5; mixed ((2 + 4) / 2 + 9) / 2 = 6, where pooling would give 5.
    assert categories["sound"].official.value == 5
    assert categories["mixed"].official.value == categories["mixed"].strict.score.value == 6
    assert categories["mixed"].judged == 3


def test_average_needs_all_four_categories() -> None:
    assert _score(_one_of_each(("9 6", "4 9"))).average.official.value == 5
    sound_only = _score({open_question(1, "sound_QA", "clotho"): ("9 6", "4 9")})
    assert sound_only.average.official.value is None
    assert sound_only.average.official.missing == ("speech", "music", "mixed")
    assert sound_only.average.strict.bounds is None
    assert [category.name for category in sound_only.categories] == ["sound"]


def test_official_accepts_a_zero() -> None:
    group = _score({open_question(1): ("9 0", "0 9")}).groups[0]
    assert group.official.value == 0


def test_an_unknown_task_stands_alone() -> None:
    scores = _score({**_one_of_each(("9 6", "4 9")), open_question(99, "bird_QA"): ("9 9", "9 9")})
    assert [(task.name, task.official.value) for task in scores.others] == [("bird_QA", 9)]
    assert scores.average.official.value == 5


def test_a_judge_that_has_not_begun() -> None:
    item = open_question(1)
    scores = score_chat(rate([item], by_key(unanswered(item, State.MISSING_AUDIO)), {}))
    group = scores.groups[0]
    assert (group.judged, group.official.value, group.strict.score.value) == (0, None, None)
    assert group.counts.missing_audio == 1
    assert group.strict.bounds == Bounds(1, 10)


def test_expected_scores_are_averaged_beside_the_others() -> None:
    item = open_question(1)
    records = [
        Verdict(1, Order.REFERENCE_FIRST, "8 6", expected=(8.25, 6.5)),
        Verdict(1, Order.MODEL_FIRST, "5 9", expected=(5.25, 8.5)),
    ]
    ratings = rate([item], by_key(answered(item, "A woman.")), {record.key: record for record in records})
    assert ratings[0].model_first is not None
    assert ratings[0].model_first.expected == Scores(model=5.25, reference=8.5)
    group = score_chat(ratings).groups[0]
    # (6.5 + 5.25) / 2; the written scores give (6 + 5) / 2.
    assert (group.expected, group.official.value) == (5.875, 5.5)


def test_without_expected_scores_there_is_no_figure() -> None:
    assert _score(_one_of_each(("9 6", "4 9"))).average.expected is None


def test_interval_of_a_group() -> None:
    # Items score 2 or 8, half of 100 each: standard deviation 3, of the mean 0.3, half width 1.96 * 0.3 = 0.588.
    replies = {open_question(number): (("9 2", "2 9") if number % 2 else ("9 8", "8 9")) for number in range(100)}
    interval = _score(replies).groups[0].official.interval
    assert interval is not None
    assert interval.high - interval.low == pytest.approx(2 * 0.588, rel=0.08)


def test_same_verdicts_same_scores() -> None:
    replies = _one_of_each(("9 6", "no idea"))
    assert msgspec.json.encode(_score(replies)) == msgspec.json.encode(_score(replies))


def test_where_both_rules_read_the_same_they_have_the_same_intervals() -> None:
    # Items score (2 + 4) / 2 = 3 and (8 + 6) / 2 = 7, one has no score; the two rules add the orders up in another
    # sequence.
    replies: Replies = {open_question(number): ("9 2", "4 9") if number % 2 else ("9 8", "6 9") for number in range(20)}
    group = _score({**replies, open_question(20): (None, None)}).groups[0]
    assert group.official.interval
    assert group.strict.score.interval
    assert group.official.interval.low == pytest.approx(group.strict.score.interval.low)
    assert group.official.interval.high == pytest.approx(group.strict.score.interval.high)


def test_an_item_is_judged_where_there_are_scores_in_both_orders() -> None:
    # Both rules read the first, only official reads the 0 of the second, only strict the words of the third.
    # The others lack scores: one reply says nothing, one never came.
    replies = {
        open_question(1): ("8 6", "5 9"),
        open_question(2): ("9 0", "0 9"),
        open_question(3): ("Assistant 1: 8, Assistant 2: 6", "Assistant 1: 5, Assistant 2: 9"),
        open_question(4): ("8 6", "no idea"),
        open_question(5): ("8 6", None),
    }
    group = _score(replies).groups[0]
    assert (group.judged, group.strict.n) == (3, 2)
