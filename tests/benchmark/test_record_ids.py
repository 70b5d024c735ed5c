import pytest

from airbench_edge.benchmark.items import ChatItem, UniqId
from airbench_edge.benchmark.record_ids import given_id, number_records


def item(path: str) -> ChatItem:
    return ChatItem("", "music_QA", "musiccaps", path, "?", "!", "sound")


def numbered(*records: tuple[UniqId | None, ChatItem | None]) -> list[tuple[UniqId, str]]:
    numbers = number_records([uid for uid, _ in records], [made for _, made in records])
    return [(number.uniq_id, number.problem.kind if number.problem else "") for number in numbers]


@pytest.mark.parametrize("value", [0, 1, -3, 2**62, "1", "00123", "a b", "狗", "record-1"])
def test_ids_that_can_serve_are_given_back_unchanged(value: int | str) -> None:
    uid, problem = given_id(value)
    assert uid == value
    assert type(uid) is type(value)
    assert problem is None


@pytest.mark.parametrize("value", [None, "", "  ", float("nan"), float("inf")])
def test_no_id(value: object) -> None:
    assert given_id(value) == (None, None)


def test_whole_numbers_written_as_floats_are_whole() -> None:
    uid, problem = given_id(7.0)
    assert (uid, type(uid)) == (7, int)
    assert problem is not None


@pytest.mark.parametrize("value", [True, False, 1.5, 2**70, [1], {"id": 1}, "a\nb", "\ud800", "a\0"])
def test_ids_that_cannot_serve_are_named(value: object) -> None:
    uid, problem = given_id(value)
    assert uid is None
    assert problem is not None
    assert problem.kind == "id_type"


def test_missing_ids_come_from_the_place() -> None:
    assert numbered((None, item("a")), (5, item("b")), (None, item("c"))) == [
        ("record-1", ""),
        (5, ""),
        ("record-3", ""),
    ]


def test_made_ids_never_meet_given_ones() -> None:
    assert numbered((None, item("a")), ("record-1", item("b"))) == [("record-1#", ""), ("record-1", "")]


def test_repeated_record_is_set_aside() -> None:
    assert numbered((1, item("a")), (2, item("b")), (1, item("a"))) == [(1, ""), (2, ""), (1, "repeated_record")]
    assert numbered((None, item("a")), (None, item("a"))) == [("record-1", ""), ("record-2", "repeated_record")]


def test_different_records_under_one_id_are_all_renamed() -> None:
    assert numbered((1, item("a")), (1, item("b")), (1, item("a"))) == [
        ("1#record-1", "duplicate_id"),
        ("1#record-2", "duplicate_id"),
        (1, "repeated_record"),
    ]


def test_the_same_content_under_two_ids_is_two_items() -> None:
    assert numbered((1, item("a")), (2, item("a"))) == [(1, ""), (2, "")]


def test_a_number_and_its_text_are_two_ids() -> None:
    assert numbered((1, item("a")), ("1", item("b"))) == [(1, ""), ("1", "")]


def test_a_record_set_aside_does_not_take_the_id_of_another() -> None:
    assert numbered((1, None), (1, item("b"))) == [(1, ""), (1, "")]
