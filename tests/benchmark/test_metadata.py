import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.benchmark.metadata import Metadata, MetadataError, parse_metadata
from airbench_edge.benchmark.notes import Note, Severity

GOOD = {
    Track.FOUNDATION: {
        "path": "a.wav",
        "question": "Which?",
        "choice_a": "rain",
        "choice_b": "dog",
        "choice_c": "car",
        "choice_d": "clap",
        "answer_gt": "dog",
        "task_name": "Sound_AQA",
        "dataset_name": "avqa",
        "uniq_id": 1,
    },
    Track.CHAT: {
        "path": "a.wav",
        "question": "What?",
        "answer_gt": "A dog.",
        "meta_info": "A dog barks.",
        "task_name": "sound_QA",
        "dataset_name": "clotho",
        "uniq_id": 1,
    },
}
ABSENT: Any = object()


def read(track: Track, **changes: object) -> Metadata:
    """One record with some fields changed, and an intact one behind it."""
    record = {field: value for field, value in (GOOD[track] | changes).items() if value is not ABSENT}
    content = json.dumps([record, GOOD[track] | {"uniq_id": 2, "path": "b.wav"}]).encode()
    metadata = parse_metadata(content, track, "meta.json")
    assert metadata.records == 2
    assert metadata.items[-1].uniq_id == 2, "the record behind it must go on"
    return metadata


def only_note(metadata: Metadata) -> Note:
    [note] = metadata.notes
    assert (note.place, note.uniq_id) == ("record 1", 1)
    return note


@pytest.mark.parametrize("track", list(Track))
def test_good_records_need_no_note(track: Track) -> None:
    metadata = read(track)
    assert len(metadata.items) == 2
    assert not metadata.notes


WRONG = [ABSENT, None, "", "  ", float("nan"), [], ["x"], {}, {"x": 1}]
NO_TEXT = [5, 1.5, True]


@pytest.mark.parametrize("value", WRONG + NO_TEXT, ids=repr)
@pytest.mark.parametrize(
    ("track", "field", "kind"),
    [
        (Track.FOUNDATION, "task_name", "no_task"),
        (Track.FOUNDATION, "dataset_name", "no_dataset"),
        (Track.FOUNDATION, "path", "no_path"),
        (Track.FOUNDATION, "question", "no_question"),
        (Track.CHAT, "task_name", "no_task"),
        (Track.CHAT, "dataset_name", "no_dataset"),
        (Track.CHAT, "path", "no_path"),
        (Track.CHAT, "question", "no_question"),
        (Track.CHAT, "meta_info", "no_meta_info"),
    ],
)
def test_field_that_must_be_text(track: Track, field: str, kind: str, value: object) -> None:
    note = only_note(read(track, **{field: value}))
    assert (note.kind, note.severity) == (kind, Severity.SET_ASIDE)
    assert field in note.message


@pytest.mark.parametrize("value", WRONG, ids=repr)
@pytest.mark.parametrize(("track", "kind"), [(Track.FOUNDATION, "no_answer"), (Track.CHAT, "no_reference")])
def test_no_answer_to_compare_with(track: Track, kind: str, value: object) -> None:
    note = only_note(read(track, answer_gt=value))
    assert (note.kind, note.severity) == (kind, Severity.SET_ASIDE)


def test_number_as_reference_is_used_and_said() -> None:
    metadata = read(Track.CHAT, answer_gt=7)
    assert metadata.items[0].answer_gt == "7"
    assert only_note(metadata).kind == "reference_not_text"


@pytest.mark.parametrize("value", [ABSENT, None, "", " \n", float("nan")], ids=repr)
def test_option_that_does_not_exist(value: object) -> None:
    metadata = read(Track.FOUNDATION, choice_c=value, choice_d=value)
    item = metadata.items[0]
    assert isinstance(item, FoundationItem)
    assert item.options == {"A": "rain", "B": "dog"}
    assert not metadata.notes


def test_three_options() -> None:
    metadata = read(Track.FOUNDATION, choice_d=None)
    item = metadata.items[0]
    assert isinstance(item, FoundationItem)
    assert list(item.options) == ["A", "B", "C"]
    assert not metadata.notes


def test_gap_in_the_options_keeps_the_letters() -> None:
    metadata = read(Track.FOUNDATION, choice_c=None, answer_gt="clap")
    item = metadata.items[0]
    assert isinstance(item, FoundationItem)
    assert list(item.options) == ["A", "B", "D"]
    assert item.accepted == ("D",)
    assert only_note(metadata).kind == "choice_gap"


def test_numbers_and_truth_values_are_options() -> None:
    metadata = read(Track.FOUNDATION, choice_a=62, choice_b=48.5, choice_c=True, choice_d="x", answer_gt=48.5)
    item = metadata.items[0]
    assert isinstance(item, FoundationItem)
    assert item.choices == ("62", "48.5", "True", "x")
    assert item.accepted == ("B",)


def test_list_as_option_sets_the_record_aside() -> None:
    assert only_note(read(Track.FOUNDATION, choice_d=["a", "b"])).kind == "choice_not_text"


def test_one_option_is_no_choice() -> None:
    note = only_note(read(Track.FOUNDATION, choice_a=None, choice_c=None, choice_d=None))
    assert note.kind == "too_few_choices"


def test_null_key_does_not_match_a_null_option() -> None:
    assert only_note(read(Track.FOUNDATION, answer_gt=None, choice_d=None)).kind == "no_answer"


def test_fifth_option_is_named_and_other_unknown_fields_are_not() -> None:
    metadata = read(Track.FOUNDATION, choice_e="whistle", choice_f=None, answer_gt_word="dog", note={"a": [1]})
    assert len(metadata.items) == 2
    assert only_note(metadata).kind == "further_choice"
    assert "choice_e" in only_note(metadata).message


@pytest.mark.parametrize("field", ["question", "choice_a", "answer_gt", "path", "task_name", "dataset_name"])
def test_half_a_character_sets_the_record_aside(field: str) -> None:
    note = only_note(read(Track.FOUNDATION, **{field: "x\ud800"}))
    assert (note.kind, note.severity) == ("broken_text", Severity.SET_ASIDE)


@pytest.mark.parametrize(
    "changes",
    [
        {"path": "../x.wav"},
        {"path": "/etc/hostname"},
        {"path": "..\\x.wav"},
        {"path": "C:\\x.wav"},
        {"path": "~/x.wav"},
        {"path": "x\0.wav"},
        {"task_name": "../Sound_AQA"},
        {"dataset_name": "a/../../b"},
    ],
)
@pytest.mark.parametrize("track", list(Track))
def test_place_outside_the_data_set_is_refused(track: Track, changes: dict[str, object]) -> None:
    note = only_note(read(track, **changes))
    assert (note.kind, note.severity) == ("path_escape", Severity.REFUSED)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"task_name": "smell_QA"}, "unknown_task"),
        ({"task_name": "sound_qa"}, "unknown_task"),
        ({"task_name": " Sound_AQA"}, "unknown_task"),
        ({"dataset_name": "nose"}, "unknown_dataset"),
    ],
)
def test_unknown_folder_is_an_item_of_its_own(changes: dict[str, str], kind: str) -> None:
    metadata = read(Track.FOUNDATION, **changes)
    item = metadata.items[0]
    assert item.folder == "_".join(({"task_name": "Sound_AQA", "dataset_name": "avqa"} | changes).values())
    assert only_note(metadata).kind == kind


@pytest.mark.parametrize("entry", [None, 3, "text", [1], True])
def test_entry_that_is_no_record(entry: object) -> None:
    content = json.dumps([entry, GOOD[Track.CHAT]]).encode()
    metadata = parse_metadata(content, Track.CHAT, "meta.json")
    [note] = metadata.notes
    assert (note.place, note.kind, note.severity) == ("record 1", "not_a_record", Severity.SET_ASIDE)
    assert len(metadata.items) == 1


def test_missing_ids_are_stable_and_said_once() -> None:
    records = [{**GOOD[Track.CHAT], "uniq_id": None, "path": f"{name}.wav"} for name in "abc"]
    first, second = (parse_metadata(json.dumps(records).encode(), Track.CHAT, "meta.json") for _ in range(2))
    assert [item.uniq_id for item in first.items] == ["record-1", "record-2", "record-3"]
    assert first == second
    [note] = first.notes
    assert (note.place, note.kind) == ("file", "id_missing")


def test_shared_id_names_every_record() -> None:
    records = [{**GOOD[Track.CHAT], "uniq_id": 9, "path": f"{name}.wav"} for name in "ab"]
    metadata = parse_metadata(json.dumps(records).encode(), Track.CHAT, "meta.json")
    assert [item.uniq_id for item in metadata.items] == ["9#record-1", "9#record-2"]
    assert [(note.kind, note.place) for note in metadata.notes] == [
        ("duplicate_id", "record 1"),
        ("duplicate_id", "record 2"),
    ]


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2)
)
CHANGES = st.lists(
    st.dictionaries(st.sampled_from(sorted(GOOD[Track.FOUNDATION] | {"meta_info": 0})), VALUES), max_size=3
)


@given(CHANGES, st.sampled_from(list(Track)))
@settings(max_examples=150, deadline=None)
def test_every_record_is_an_item_or_has_one_reason(changes: list[dict[str, object]], track: Track) -> None:
    records: list[object] = [GOOD[track] | change for change in changes]
    try:
        metadata = parse_metadata(json.dumps(records).encode(), track, "meta.json")
    except MetadataError as error:
        assert error.kind == "no_records"
        assert not records
        return
    reasons = [note.place for note in metadata.notes if note.severity is not Severity.WARNING]
    assert len(reasons) == len(set(reasons))
    assert len(metadata.items) + len(reasons) == metadata.records == len(records)
    assert len({item.key for item in metadata.items}) == len(metadata.items)
