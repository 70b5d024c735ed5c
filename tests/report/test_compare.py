from __future__ import annotations

from dataclasses import replace

import jsonschema
import msgspec
import numpy as np
import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged
from helpers.run_pairs import answers_run, judged_run

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.records import AlignedLetter
from airbench_edge.errors import InputError
from airbench_edge.report.build import build_report
from airbench_edge.report.compare import compare_runs
from airbench_edge.report.schemas import schemas
from airbench_edge.run.folder import Aligned, RunData
from airbench_edge.statistics.mcnemar import mcnemar
from airbench_edge.statistics.wilcoxon import wilcoxon

OTHER_JUDGE = msgspec.structs.replace(JUDGE, details={**JUDGE.details, "weights": "beef" * 16})


def test_accuracy_over_the_pairs_by_hand() -> None:
    first = answers_run("one", ["B", "B", "A", "A", "B", "B"])
    second = answers_run("two", ["B", "A", "B", "B", "B", None])
    (comparison,) = compare_runs([first, second], "strict").others
    (section,) = comparison.sections
    (task,) = section.tasks
    # Five items were answered by both: 3 right in the first, 4 in the second; one fell, two rose.
    assert (task.n, task.first, task.second, task.fell, task.rose) == (5, 3 / 5, 4 / 5, 1, 2)
    assert task.difference == 4 / 5 - 3 / 5
    assert task.p == mcnemar(1, 2) == task.p_holm
    assert task.interval is not None
    assert task.interval.low < 0.2 < task.interval.high
    assert [(item.uniq_id, item.first, item.second) for item in section.moved] == [(1, 1, 0), (2, 0, 1), (3, 0, 1)]
    assert {item.task for item in section.moved} == {"Music_AQA"}
    assert [(item.first_read, item.second_read) for item in section.moved] == [("B", "A"), ("A", "B"), ("A", "B")]


def test_scores_over_the_pairs_by_hand() -> None:
    first, second = judged_run("one", [4, 5, 6, 7]), judged_run("two", [5, 7, 6, 10])
    (comparison,) = compare_runs([first, second], "strict").others
    (section,) = comparison.sections
    (group,) = section.tasks
    assert (group.name, group.n, group.first, group.second) == ("speech", 4, 5.5, 7.0)
    assert (group.fell, group.rose, group.difference) == (0, 3, 1.5)
    assert group.p == wilcoxon(np.array([1.0, 2.0, 0.0, 3.0])) == 2 / 8
    # The largest change comes first.
    assert [item.uniq_id for item in section.moved] == [3, 1, 0]
    assert (section.moved[0].first_read, section.moved[0].second_read) == ("7 / 7", "10 / 10")


def test_identical_responses_are_counted_by_track() -> None:
    first, second = answers_run("one", ["B", "B.", "A", None]), answers_run("two", ["B", "B", "A", "A"])
    (drift,) = compare_runs([first, second], "strict").others[0].drift
    assert (drift.track, drift.common, drift.answered, drift.identical) == (Track.FOUNDATION, 4, 3, 2)


def test_a_run_against_itself_differs_in_nothing() -> None:
    run = example_run()
    comparison = compare_runs([run, run], "strict").others[0]
    assert comparison.differs == {}
    for section in comparison.sections:
        assert section.moved == ()
        assert {task.difference for task in section.tasks} == {0.0}
        assert {task.p for task in section.tasks} == {1.0}
        assert all(mean.difference == 0.0 for mean in section.means)


def test_the_sides_are_the_figures_of_the_report_where_everything_counts() -> None:
    run = example_run()
    report = build_report(run)
    foundation, chat = compare_runs([run, run], "strict").others[0].sections
    scores = report.letters[0].scores
    assert {mean.name: mean.first for mean in foundation.means} == {
        part.name: part.strict.value for part in (*scores.categories, scores.average)
    }
    judge = report.judges[0].scores
    assert {mean.name: mean.second for mean in chat.means} == {
        part.name: part.strict.score.value for part in (*judge.categories, judge.average)
    }


def test_official_rules_leave_out_what_they_cannot_read() -> None:
    first = answers_run("one", ["B", "The answer is B", "B"])
    second = answers_run("two", ["B", "B", "b"])
    (section,) = compare_runs([first, second], "official").others[0].sections
    assert section.tasks[0].n == 1
    (section,) = compare_runs([first, second], "strict").others[0].sections
    assert section.tasks[0].n == 3


def test_a_mean_that_lacks_a_task_has_no_figure() -> None:
    (section,) = compare_runs([answers_run("one", ["B"]), answers_run("two", ["A"])], "strict").others[0].sections
    music, average = section.means
    assert (music.name, music.n, music.first, music.difference) == ("music", 1, None, None)
    assert "Music genre classification" in music.missing
    assert average.missing == ("speech", "sound", "music")
    assert section.tasks[0].interval is None, "one pair tells nothing about the spread"


def test_several_runs_are_each_compared_with_the_first() -> None:
    runs = [answers_run(name, [answer, "B"]) for name, answer in (("one", "B"), ("two", "A"), ("three", "B"))]
    model = compare_runs(runs, "strict")
    assert model.first.path == "one"
    assert [(other.second.path, other.sections[0].tasks[0].difference) for other in model.others] == [
        ("two", -0.5),
        ("three", 0.0),
    ]


def test_what_differs_between_the_runs_is_named() -> None:
    first = answers_run("one", ["B"])
    model = msgspec.structs.replace(first.manifest.model, details={"dtype": "int8"})
    second = replace(first, manifest=msgspec.structs.replace(first.manifest, model=model, prompt="strict"))
    differs = compare_runs([first, second], "strict").others[0].differs
    assert differs["prompt"] == ('"official"', '"strict"')
    assert differs["model.details.dtype"] == ("absent", '"int8"')


def test_letters_of_a_common_aligner_are_compared_too() -> None:
    def aligned_run(name: str, letters: str) -> RunData:
        run = answers_run(name, ["hm"] * len(letters))
        named = zip(run.items, letters, strict=True)
        records = {item.key: AlignedLetter(item.uniq_id, letter) for item, letter in named}
        return replace(run, letters={"x": Aligned(JUDGE, tuple(range(len(letters))), records)})

    own, aligned = compare_runs([aligned_run("one", "BBA"), aligned_run("two", "BAA")], "strict").others[0].sections
    assert own.instrument is None
    assert (own.tasks[0].first, own.tasks[0].second) == (0.0, 0.0)
    assert aligned.instrument == JUDGE
    assert (aligned.tasks[0].first, aligned.tasks[0].second) == (2 / 3, 1 / 3)


def test_two_judges_are_never_compared() -> None:
    first, second = judged_run("one", [4, 5]), judged_run("two", [5, 7], OTHER_JUDGE)
    with pytest.raises(InputError, match="no judge of the same weights and settings"):
        compare_runs([first, second], "strict")


def test_the_other_track_is_compared_even_if_no_judge_is_common() -> None:
    first = example_run()
    verdicts = {"other": judged(first.items, official_case.verdicts().values(), OTHER_JUDGE)}
    (comparison,) = compare_runs([first, example_run(verdicts=verdicts)], "strict").others
    assert [section.track for section in comparison.sections] == [Track.FOUNDATION]
    assert "Chat scores are not compared" in comparison.remarks[0]
    assert [drift.track for drift in comparison.drift] == [Track.FOUNDATION, Track.CHAT]


def test_other_data_sets_are_refused() -> None:
    first = answers_run("one", ["B"])
    data = msgspec.structs.replace(first.manifest.data, fingerprint="0" * 64, name="another")
    second = replace(first, manifest=msgspec.structs.replace(first.manifest, data=data))
    with pytest.raises(InputError, match=r"different data sets \(recorded and another\)"):
        compare_runs([first, second], "strict")


def test_other_questions_under_the_same_ids_are_refused() -> None:
    first, second = answers_run("one", ["B"]), answers_run("two", ["B"], task="Sound_AQA")
    with pytest.raises(InputError, match="different data sets"):
        compare_runs([first, second], "strict")


def test_no_common_item_and_no_common_answer_are_refused() -> None:
    first, second = answers_run("one", ["B", "B"]), answers_run("two", ["B", "B"])
    with pytest.raises(InputError, match="no item in common"):
        compare_runs([replace(first, items=first.items[:1]), replace(second, items=second.items[1:])], "strict")
    with pytest.raises(InputError, match="no item that both have answered"):
        compare_runs([answers_run("one", ["B", None]), answers_run("two", [None, "B"])], "strict")


def test_the_reason_is_the_answers_where_they_are_missing_and_not_the_judge() -> None:
    first = example_run()
    with pytest.raises(InputError, match="no item that both have answered: let both runs go on first"):
        compare_runs([first, example_run(responses={}, verdicts={})], "strict")
    with pytest.raises(InputError, match="so that official rules can read it"):
        compare_runs([answers_run("one", ["hm"]), answers_run("two", ["hm"])], "official")


def test_equal_runs_give_equal_bytes_that_follow_the_schema() -> None:
    runs = [answers_run("one", ["B", "A", "B"]), answers_run("two", ["A", "B", "B"])]
    encoded = msgspec.json.encode(compare_runs(runs, "strict"))
    assert encoded == msgspec.json.encode(compare_runs(runs, "strict"))
    jsonschema.Draft202012Validator(schemas()["comparison-1"]).validate(msgspec.json.decode(encoded))
