from __future__ import annotations

from collections.abc import Iterable

import pytest
from helpers.made_items import answered, question

from airbench_edge.benchmark.items import FoundationItem
from airbench_edge.benchmark.records import Response
from airbench_edge.benchmark.scores.foundation import FoundationScores, score_foundation
from airbench_edge.benchmark.scores.marks import mark_responses
from airbench_edge.benchmark.tasks import FOUNDATION_TASKS, foundation_task

Answered = tuple[FoundationItem, Response]


def _score(pairs: Iterable[Answered]) -> FoundationScores:
    known = list(pairs)
    responses = {item.key: response for item, response in known}
    return score_foundation(mark_responses([item for item, _ in known], responses))


def _items(task: str, dataset: str, right: int, n: int, text: str = "A") -> list[Answered]:
    items = [question(f"{task}/{dataset}/{number}", task, dataset) for number in range(n)]
    return [(item, answered(item, "B" if number < right else text)) for number, item in enumerate(items)]


def _whole_track(right: int, n: int) -> list[Answered]:
    return [
        pair
        for task in FOUNDATION_TASKS
        for folder in task.folders
        for pair in _items(task.name, folder.dataset, right, n)
    ]


def test_two_sources_are_pooled_and_their_mean_stands_beside() -> None:
    pairs = _items("Sound_AQA", "clothoaqa", 1, 2) + _items("Sound_AQA", "avqa", 8, 8)
    task = _score(pairs).tasks[0]
    # Pooled (1 + 8) / (2 + 8) = 0.9; mean of the sources (0.5 + 1) / 2 = 0.75.
    assert task.official.value == 0.9
    assert task.official_mean_of_sources == 0.75
    assert [folder.official.value for folder in task.folders] == [0.5, 1.0]


def test_average_is_the_mean_of_the_categories_not_of_tasks_or_items() -> None:
    # One item of two right everywhere but in speech, where all are.
    pairs = [
        pair
        for task in FOUNDATION_TASKS
        for folder in task.folders
        for pair in _items(task.name, folder.dataset, 2 if task.category == "speech" else 1, 2)
    ]
    scores = _score(pairs)
    assert [category.official.value for category in scores.categories] == [1.0, 0.5, 0.5]
    # (1 + 0.5 + 0.5) / 3 = 2/3; the mean of 19 tasks would be (9 + 5) / 19 = 0.737.
    assert scores.average.official.value == pytest.approx(2 / 3)
    assert scores.average.strict.value == pytest.approx(2 / 3)


def test_interval_of_the_average_is_that_of_independent_tasks() -> None:
    # 25 folders of 40 items, half right: a task of one source has variance 0.25 / 40, of two sources 0.25 / 80.
    # Speech has 7 and 2 such tasks: (7 / 40 + 2 / 80) * 0.25 / 9^2 = 0.000617; sound 2 and 2: 0.001172; music 4 and 2:
    # 0.000868. Their sum over 3^2 is 0.000295, the standard deviation 0.0172, the half width 0.0337.
    interval = _score(_whole_track(20, 40)).average.official.interval
    assert interval is not None
    assert interval.high - interval.low == pytest.approx(2 * 0.0337, rel=0.08)
    assert (interval.low + interval.high) / 2 == pytest.approx(0.5, abs=0.003)


def test_a_selection_of_tasks_has_no_category_and_no_average() -> None:
    scores = _score(_items("Music_AQA", "music_avqa", 3, 4))
    music = scores.categories[0]
    assert [category.name for category in scores.categories] == ["music"]
    assert music.official.value is None
    assert music.official.interval is None
    assert music.official.partial == 0.75
    assert "Music emotion detection" in music.official.missing
    assert len(music.official.missing) == 5
    assert scores.average.official.missing == ("speech", "sound", "music")
    assert (scores.average.chance, scores.average.bounds) == (None, None)


def test_a_task_without_a_readable_response_is_missing_officially_only() -> None:
    pairs = [pair for pair in _whole_track(1, 2) if pair[0].task != "Music_AQA"]
    scores = _score(pairs + _items("Music_AQA", "music_avqa", 0, 2, text=""))
    music = scores.categories[2]
    assert music.official.missing == ("Music question answering",)
    # Five tasks at 0.5 and one at 0: 2.5 / 6.
    assert music.strict.value == pytest.approx(2.5 / 6)


def test_a_task_that_the_benchmark_does_not_know_is_part_of_no_mean() -> None:
    scores = _score(_whole_track(1, 2) + _items("Bird_Naming", "garden", 2, 2))
    assert [(task.task, task.category, task.official.value) for task in scores.others] == [("Bird_Naming", None, 1.0)]
    assert scores.average.official.value == 0.5
    assert (scores.average.counts.planned, scores.counts.planned) == (50, 52)


def test_chance_of_the_whole_track() -> None:
    # Every made question has four options.
    assert _score(_whole_track(1, 2)).average.chance == 0.25


def test_same_items_same_scores() -> None:
    assert _score(_whole_track(3, 5)) == _score(_whole_track(3, 5))


def test_nothing_planned() -> None:
    scores = score_foundation([])
    assert (scores.tasks, scores.categories, scores.average.strict.value) == ((), (), None)


def test_where_both_rules_count_the_same_they_have_the_same_intervals() -> None:
    average = _score(_whole_track(20, 40)).average
    assert average.official.interval == average.strict.interval


def test_other_tasks_move_no_interval() -> None:
    # Speech alone and the whole track: the same resamples of the same tasks.
    speech = [
        pair for pair in _whole_track(3, 8) if (task := foundation_task(pair[0].task)) and task.category == "speech"
    ]
    assert _score(speech).categories[0] == _score(_whole_track(3, 8)).categories[0]
