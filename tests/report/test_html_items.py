from __future__ import annotations

from typing import Any

import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged, with_expected
from helpers.made_items import answered, by_key, open_question, question, unanswered, verdicts

from airbench_edge.benchmark.records import AlignedLetter, State, Verdict
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.build import build_report
from airbench_edge.report.html.columns import PageData
from airbench_edge.report.html.items import page_data
from airbench_edge.report.html.texts import Texts
from airbench_edge.run.folder import Aligned, RunData

OTHER = JudgeIdentity("openai", "other", {})


@pytest.fixture(scope="module")
def data() -> PageData:
    return page_data(example_run(), {})


def _run(**changes: Any) -> RunData:  # noqa: ANN401
    return RunData(**{**vars(example_run()), "responses": {}, "verdicts": {}, **changes})


def test_results_add_up_to_the_scores(data: PageData) -> None:
    scores = build_report(example_run()).letters[0].scores
    source = data.letters[0]
    for column, tasks in (
        (source.official, [task.official for task in scores.tasks]),
        (source.strict, [task.strict for task in scores.tasks]),
    ):
        assert column.results.count("r") == sum(task.right for task in tasks)
        assert column.results.count("u") == sum(task.undecided for task in tasks)
        assert len(column.results) == len(column.letters) == len(column.how) == scores.counts.planned


def test_item_scores_are_those_of_the_strict_mean(data: PageData) -> None:
    items, scores = official_case.chat_items(), data.judges[0].scores["strict"]
    speech = [
        score
        for item, score in zip(items, scores, strict=True)
        if item.task in ("speech_QA", "speech_dialogue_QA") and score is not None
    ]
    group = build_report(example_run()).judges[0].scores.groups[0]
    assert group.name == "speech"
    assert len(speech) == group.strict.n
    assert sum(speech) / len(speech) == pytest.approx(group.strict.score.value)


def test_every_text_is_found_again(data: PageData) -> None:
    items, responses = official_case.items(), official_case.responses()
    texts, columns = data.texts, data.items
    assert len(set(texts)) == len(texts)
    assert columns.id == [str(item.uniq_id) for item in items]
    assert [texts[number] for number in columns.question] == [item.question for item in items]
    assert [None if number is None else texts[number] for number in columns.response] == [
        responses[item.key].text for item in items
    ]
    foundation = official_case.foundation_items()
    assert [tuple(None if number is None else texts[number] for number in choices) for choices in columns.choices] == [
        item.choices for item in foundation
    ]
    assert columns.right == ["".join(item.accepted) for item in foundation]
    assert [texts[number] for number in columns.reference] == [item.answer_gt for item in official_case.chat_items()]


def test_chat_items_come_after_foundation_items_whatever_the_order_of_the_run() -> None:
    chat, asked = open_question(7), question(3)
    data = page_data(_run(items=(chat, asked), responses=by_key(answered(chat, "A man."), answered(asked, "B"))), {})
    assert data.items.id == ["3", "7"]
    assert data.letters[0].strict.letters == "B"
    assert data.texts[data.items.reference[0]] == "A man."


def test_states_of_items_without_a_response() -> None:
    asked = [question(number) for number in range(4)]
    given = [unanswered(asked[0], State.MISSING_AUDIO), unanswered(asked[1], State.FAILED), answered(asked[2], " ")]
    data = page_data(_run(items=tuple(asked), responses=by_key(*given)), {})
    assert [data.texts[state] for state in data.items.state] == ["missing_audio", "failed", "answered", "pending"]
    assert data.letters[0].strict.results == data.letters[0].official.results == "nnun"
    assert {place: data.texts[reason] for place, reason in data.items.reason.items()} == {
        0: "made for a test",
        1: "made for a test",
    }


def test_letters_of_an_aligner_stand_beside_those_of_the_response() -> None:
    asked = question(1), question(2)
    responses = by_key(answered(asked[0], "Hard to say."), answered(asked[1], "Hard to say."))
    replies = (AlignedLetter(1, "B"), AlignedLetter(2, failure="too_long"))
    aligned = Aligned(OTHER, (1, 2), {reply.key: reply for reply in replies})
    data = page_data(_run(items=asked, responses=responses, letters={"other": aligned}), {})
    plain, other = data.letters
    assert (plain.name, plain.strict.results, other.name, other.strict.results) == ("", "uu", "other", "ru")
    assert {place: data.texts[text] for place, text in other.replies.items()} == {0: "B"}
    assert {place: data.texts[text] for place, text in other.failures.items()} == {1: "too_long"}


def _judged(*pairs: tuple[str | None, str | None], judge: JudgeIdentity = JUDGE) -> tuple[RunData, list[Verdict]]:
    items = tuple(open_question(number) for number in range(len(pairs)))
    records = [record for item, pair in zip(items, pairs, strict=True) for record in verdicts(item, *pair)]
    responses = by_key(*(answered(item, "A man.") for item in items))
    return _run(items=items, responses=responses, verdicts={judge.name: judged(items, records, judge)}), records


def test_the_second_score_is_the_models_where_the_reference_comes_first() -> None:
    run, _ = _judged(("7 8", "6 5"))
    judge = page_data(run, {}).judges[0]
    first, second = judge.reference_first[0], judge.model_first[0]
    assert first is not None
    assert second is not None
    assert (first.strict, second.strict) == ((8, 7), (6, 5))
    assert judge.scores["strict"] == [7.0]  # (8 + 6) / 2


def test_unread_and_failed_verdicts_are_named() -> None:
    run, _ = _judged(("7 8", "I cannot say."), (None, None), ("Scores: 7 8", "6 5"))
    data = page_data(run, {})
    judge = data.judges[0]
    assert judge.results == {"strict": "uus", "official": "uuu"}
    unread, failed = judge.model_first[0], judge.model_first[1]
    assert unread is not None
    assert failed is not None
    assert data.texts[unread.strict_why] == "no_scores"
    assert (failed.reply, data.texts[failed.failure]) == (None, "too_long")


def test_items_that_a_judge_was_not_to_see() -> None:
    run, records = _judged(("7 8", "6 5"), ("1 2", "3 4"))
    kept = [record for record in records if record.uniq_id == 0]
    data = page_data(
        RunData(**{**vars(run), "verdicts": {"j": judged(run.items[:1], kept)}}),
        {},
    )
    assert data.judges[0].planned == "10"
    assert data.judges[0].results["strict"] == "sn"


def test_spread_is_over_all_judges_and_orders() -> None:
    run, _ = _judged(("7 8", "6 5"), ("1 2", "nonsense"))
    other, _ = _judged(("2 3", "9 9"), ("?", "?"), judge=OTHER)
    both = RunData(**{**vars(run), "verdicts": {**run.verdicts, **other.verdicts}})
    # First item: the model got 8 and 6 from one, 3 and 9 from the other; second item: only one score.
    assert page_data(both, {}).items.spread == [6, None]
    assert page_data(run, {}).items.spread == [2, None]


def test_expected_scores_are_turned_like_the_written_ones() -> None:
    run, records = _judged(("7 8", "6 5"))
    told = judged(run.items, [with_expected(record) for record in records])  # first 7.5, second 4.25
    judge = page_data(RunData(**{**vars(run), "verdicts": {"j": told}}), {}).judges[0]
    first, second = judge.reference_first[0], judge.model_first[0]
    assert first is not None
    assert second is not None
    assert (first.expected, second.expected) == ((4.25, 7.5), (7.5, 4.25))


def test_texts_are_stored_once() -> None:
    texts = Texts()
    assert [texts("a"), texts("b"), texts("a"), texts.maybe(None)] == [0, 1, 0, None]
    assert texts.all() == ["a", "b"]
