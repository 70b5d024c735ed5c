"""A limit is spread evenly and by the seed alone; unknown names are told with what was probably meant."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, Track
from airbench_edge.errors import InputError
from airbench_edge.run.selection import Selection, select, spread

BOTH = tuple(Track)


def foundation(uniq_id: int, task: str, dataset: str) -> FoundationItem:
    return FoundationItem(uniq_id, task, dataset, "a.wav", "q", ("x", "y", None, None), "x", ("A",))


def items() -> list[Item]:
    """Folders of 10, 10 and 2 foundation items and of 3 chat items; ids repeat between the tracks."""
    sizes = {("Sound_AQA", "avqa"): 10, ("Sound_AQA", "clothoaqa"): 10, ("Music_AQA", "music_avqa"): 2}
    listed: list[Item] = []
    for (task, dataset), size in sizes.items():
        listed += [foundation(len(listed) + n, task, dataset) for n in range(size)]
    return [*listed, *(ChatItem(n, "sound_QA", "clotho", "a.wav", "q", "a", "m") for n in range(3))]


def folders(chosen: list[Item]) -> Counter[str]:
    return Counter(item.folder for item in chosen)


def test_everything_is_selected_without_a_limit() -> None:
    assert select(items(), Selection(BOTH)) == items()


def test_a_limit_takes_turns_over_the_folders() -> None:
    # 10 = one each of 4 folders, twice (8), then the third turn: Music_AQA is used up, 2 of the 3 others get one.
    counts = folders(select(items(), Selection(BOTH, limit=10)))
    assert counts["Music_AQA_music_avqa"] == 2
    assert sorted(counts.values()) == [2, 2, 3, 3]


def test_the_seed_decides_and_nothing_else() -> None:
    chosen = select(items(), Selection(BOTH, limit=7, seed=1))
    assert select(items(), Selection(BOTH, limit=7, seed=1)) == chosen
    assert set(select(items()[::-1], Selection(BOTH, limit=7, seed=1))) == set(chosen)
    assert any(select(items(), Selection(BOTH, limit=7, seed=seed)) != chosen for seed in (2, 3, 4))
    assert chosen == [item for item in items() if item in chosen]  # in the order of the data set


def test_the_choice_is_the_same_on_every_machine_and_version() -> None:
    assert [item.uniq_id for item in select(items(), Selection(BOTH, limit=4))] == [6, 17, 20, 1]


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_limit_keeps_what_a_smaller_one_picked(seed: int) -> None:
    picks = [set(spread(items(), limit, seed)) for limit in range(1, 26)]
    assert [len(pick) for pick in picks] == list(range(1, 26))
    assert all(small < large for small, large in pairwise(picks))


def test_tasks_are_chosen_by_task_or_folder() -> None:
    by_task = select(items(), Selection(BOTH, tasks=("Sound_AQA",)))
    assert folders(by_task) == {"Sound_AQA_avqa": 10, "Sound_AQA_clothoaqa": 10}
    by_folder = select(items(), Selection(BOTH, tasks=("Music_AQA_music_avqa", "sound_QA")))
    assert folders(by_folder) == {"Music_AQA_music_avqa": 2, "sound_QA_clotho": 3}


def test_one_track_alone() -> None:
    assert folders(select(items(), Selection((Track.CHAT,)))) == {"sound_QA_clotho": 3}


def test_an_unknown_task_is_told_with_its_neighbours() -> None:
    with pytest.raises(InputError, match=r"'music_aqa': did you mean Music_AQA"):
        select(items(), Selection(BOTH, tasks=("music_aqa",)))
    with pytest.raises(InputError, match=r"'zzz': known are Music_AQA, Music_AQA_music_avqa, Sound_AQA"):
        select(items(), Selection(BOTH, tasks=("zzz",)))


def test_a_task_of_the_other_track_is_unknown() -> None:
    with pytest.raises(InputError, match="'sound_QA'"):
        select(items(), Selection((Track.FOUNDATION,), tasks=("sound_QA",)))


def test_an_empty_selection_is_refused() -> None:
    with pytest.raises(InputError, match="no usable item of the tracks"):
        select(items()[:3], Selection((Track.CHAT,)))


def test_a_selection_does_not_depend_on_the_order_of_the_options() -> None:
    asked = Selection.of([Track.FOUNDATION, Track.CHAT], ["b,a", " a "], 5, 1)
    assert asked == Selection((Track.CHAT, Track.FOUNDATION), ("a", "b"), 5, 1)
    assert asked == Selection.of([Track.CHAT, Track.FOUNDATION], ["a", "b"], 5, 1)


@pytest.mark.parametrize("blank", ["", " ", ",", " , "])
def test_a_task_without_a_name_is_not_taken_for_all_tasks(blank: str) -> None:
    with pytest.raises(InputError, match="names no task"):
        Selection.of([Track.CHAT], ["a", blank], None, 0)
