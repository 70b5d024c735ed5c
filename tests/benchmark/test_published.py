import pytest

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import (
    AVERAGE,
    CHAT_TABLE,
    FOUNDATION_BY_TASK,
    FOUNDATION_TABLE,
    published_column,
    standing,
)
from airbench_edge.benchmark.tasks import FOUNDATION_CATEGORIES, FOUNDATION_TASKS


def test_every_task_has_its_published_figures() -> None:
    assert list(FOUNDATION_BY_TASK) == [task.name for task in FOUNDATION_TASKS]
    lengths = {task.category: len(FOUNDATION_BY_TASK[task.name]) for task in FOUNDATION_TASKS}
    assert lengths == {"speech": 8, "sound": 7, "music": 7}  # the cascade was tested on speech only


@pytest.mark.parametrize(
    "row", [row for row in FOUNDATION_TABLE if row.model != "Macaw-LLM"], ids=lambda row: row.model
)
def test_category_is_the_mean_of_its_tasks(row: object) -> None:
    """Macaw-LLM has no figures per task."""
    [found] = [candidate for candidate in FOUNDATION_TABLE if candidate is row]
    for category, figure in found.categories.items():
        figures = [FOUNDATION_BY_TASK[task.name][found.model] for task in FOUNDATION_TASKS if task.category == category]
        assert sum(figures) / len(figures) == pytest.approx(figure, abs=0.0501)


def test_foundation_average_is_the_mean_of_three_categories() -> None:
    # Rounding moves a category by up to 0.05, so their mean too, and the printed average by another 0.05.
    for row in FOUNDATION_TABLE:
        if row.printed_average is not None:
            assert row.average == pytest.approx(row.printed_average, abs=0.1)
    assert [row.model for row in FOUNDATION_TABLE if row.printed_average is None] == ["Whisper + GPT-4"]


def test_chat_average_is_the_mean_of_four_but_for_the_two_known_rows() -> None:
    off = {
        row.model
        for row in CHAT_TABLE
        if row.average is not None
        and row.printed_average is not None
        and abs(row.average - row.printed_average) > 0.0101
    }
    assert off == {"NExT-GPT", "Macaw-LLM"}


def test_mixed_column_does_not_hold_the_averages() -> None:
    mixed = published_column(Track.CHAT, "mixed")
    assert mixed["BLSP"] == 4.52
    assert mixed["Qwen-Audio-Chat"] == 5.38
    assert len(mixed) == 10


def test_columns() -> None:
    assert len(published_column(Track.CHAT, "speech")) == 11
    assert published_column(Track.CHAT, "speech")["Whisper-large-v2 + GPT-4 Turbo"] == 7.54
    assert len(published_column(Track.FOUNDATION, AVERAGE)) == 8
    assert {len(published_column(Track.FOUNDATION, name)) for name in FOUNDATION_CATEGORIES} == {9, 8}
    assert published_column(Track.FOUNDATION, "Sound_AQA")["NExT-GPT"] == 18.8
    assert published_column(Track.CHAT, "smell") == {}


def test_standing_between_two_models() -> None:
    place = standing(6.2, published_column(Track.CHAT, AVERAGE))
    # Better: Qwen2-Audio 6.9325 and Turbo 6.345; next below: SALMONN (6.16 + 6.28 + 5.95 + 6.08) / 4 = 6.1175.
    assert (place.rank, place.of) == (3, 11)
    assert place.above is not None
    assert place.above[0] == "Qwen-Audio-Turbo"
    assert place.below is not None
    assert place.below[0] == "SALMONN"
    assert place.below[1] == pytest.approx(6.1175)


def test_standing_at_both_ends_and_on_a_tie() -> None:
    column = {"x": 2.0, "y": 1.0}
    assert (standing(3.0, column).rank, standing(3.0, column).above) == (1, None)
    assert (standing(0.5, column).rank, standing(0.5, column).below) == (3, None)
    assert standing(2.0, column).rank == 1
    assert standing(2.0, column).below == ("x", 2.0)
    assert standing(2.0, {}).rank == 1
