from collections import Counter

import pytest

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.tasks import (
    CHAT_CATEGORIES,
    CHAT_GROUPS,
    CHAT_TASKS,
    FOUNDATION_CATEGORIES,
    FOUNDATION_TASKS,
    chat_task,
    foundation_task,
    published_folders,
)


def test_foundation_has_19_tasks_in_25_folders() -> None:
    assert len(FOUNDATION_TASKS) == 19
    assert Counter(task.category for task in FOUNDATION_TASKS) == {"speech": 9, "sound": 4, "music": 6}
    assert tuple(dict.fromkeys(task.category for task in FOUNDATION_TASKS)) == FOUNDATION_CATEGORIES
    assert len({folder.name for folder in published_folders(Track.FOUNDATION)}) == 25


def test_foundation_rows_add_up_to_the_known_totals() -> None:
    rows = {
        category: sum(task.rows for task in FOUNDATION_TASKS if task.category == category)
        for category in FOUNDATION_CATEGORIES
    }
    assert rows == {"speech": 10_973, "sound": 5_896, "music": 7_814}
    assert sum(rows.values()) == 24_683
    # EvalScope loaded 21,426 rows; 24,683 - 21,426 = 3,257 lacked their clip.
    assert sum(folder.rows_with_audio or 0 for folder in published_folders(Track.FOUNDATION)) == 21_426


def test_chat_has_8_tasks_in_10_folders_and_2200_rows() -> None:
    assert len(CHAT_TASKS) == 8
    assert len({folder.name for folder in published_folders(Track.CHAT)}) == 10
    rows = Counter[str]()
    for task in CHAT_TASKS:
        rows[task.category] += task.rows
    assert rows == {"speech": 800, "sound": 500, "music": 500, "mixed": 400}


def test_chat_groups_are_those_of_the_released_scorer() -> None:
    groups = {task.name: task.group for task in CHAT_TASKS}
    assert groups == {
        "speech_QA": "speech",
        "speech_dialogue_QA": "speech",
        "sound_QA": "sound",
        "sound_generation_QA": "sound",
        "music_QA": "music",
        "music_generation_analysis_QA": "music",
        "speech_and_sound_QA": "speech_and_sound",
        "speech_and_music_QA": "speech_and_music",
    }
    assert tuple(dict.fromkeys(groups.values())) == CHAT_GROUPS
    assert tuple(dict.fromkeys(task.category for task in CHAT_TASKS)) == CHAT_CATEGORIES


def test_only_gender_and_synthesized_voice_have_two_options() -> None:
    two = {task.name for task in FOUNDATION_TASKS if task.options == 2}
    assert two == {"Speaker_Gender_Recognition", "Synthesized_Voice_Detection"}
    assert {task.chance for task in FOUNDATION_TASKS} == {0.5, 0.25}


@pytest.mark.parametrize(
    "name", ["Speaker_Emotion_Recontion", "Speech_Entity_Reconition", "Music_Instruments_Classfication"]
)
def test_misspelt_names_are_the_keys(name: str) -> None:
    task = foundation_task(name)
    assert task is not None
    assert task.name == name


@pytest.mark.parametrize(
    "name", ["Speaker_Emotion_Recognition", "Vocal_Sound_Classification", "smell_QA", "", "speech_qa"]
)
def test_other_names_belong_to_no_category(name: str) -> None:
    assert foundation_task(name) is None
    assert chat_task(name) is None


def test_three_spellings_of_common_voice_are_three_folders() -> None:
    datasets = {folder.dataset for track in Track for folder in published_folders(track)}
    assert {"common_voice_13.0_en", "common_voice_13_en", "common_voice_en", "MTJ-Jamendo"} <= datasets
