"""Every metadata file of tests/cases/meta gives what a careful reader makes of it (expected.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from airbench_edge.benchmark.clip_path import clip_names
from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.benchmark.metadata import Metadata, MetadataError, parse_metadata
from airbench_edge.benchmark.notes import Severity

CASES = Path(__file__).parent.parent / "cases" / "meta"
EXPECTED: list[dict[str, Any]] = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))["files"]


def read(name: str) -> Metadata:
    path = CASES / name
    track = Track.FOUNDATION if name.startswith("f_") else Track.CHAT
    return parse_metadata(path.read_bytes(), track, str(path))


def test_no_case_is_left_out() -> None:
    assert {case["file"] for case in EXPECTED} == {path.name for path in CASES.iterdir()} - {"expected.json"}


@pytest.mark.parametrize(
    "case", [case for case in EXPECTED if case["expect"] == "error"], ids=lambda case: case["file"]
)
def test_refused_file(case: dict[str, Any]) -> None:
    with pytest.raises(MetadataError) as caught:
        read(case["file"])
    assert caught.value.kind == case["error_kind"]
    assert case["file"] in str(caught.value)


@pytest.mark.parametrize(
    "case", [case for case in EXPECTED if case["expect"] != "error"], ids=lambda case: case["file"]
)
def test_readable_file(case: dict[str, Any]) -> None:
    metadata = read(case["file"])
    assert metadata.records == case["records"]
    assert len(metadata.items) == case["usable"]
    of = {severity: {said.uniq_id for said in metadata.notes if said.severity is severity} for severity in Severity}
    assert of[Severity.SET_ASIDE] >= set(case.get("unscorable", []))
    assert of[Severity.REFUSED] == set(case.get("refused", []))
    named = {said.uniq_id for said in metadata.notes} | {said.place for said in metadata.notes}
    assert named >= set(case.get("warn", []))
    if case["kind"] == "control":
        assert not metadata.notes


@pytest.mark.parametrize(
    "case", [case for case in EXPECTED if case["expect"] != "error"], ids=lambda case: case["file"]
)
def test_details_of_items(case: dict[str, Any]) -> None:
    items = {item.uniq_id: item for item in read(case["file"]).items}
    for uniq_id, count in case.get("n_choices", {}).items():
        item = items[uniq_id]
        assert isinstance(item, FoundationItem)
        assert len(item.options) == count
    for uniq_id, letter in (case.get("gt_letter", {}) | case.get("gt_letters_accepted", {})).items():
        item = items[uniq_id]
        assert isinstance(item, FoundationItem)
        assert item.accepted == tuple(letter)
    for uniq_id, names in case.get("looked_for", {}).items():
        assert list(clip_names(items[uniq_id].task, items[uniq_id].path)) == names


def test_integer_ids_stay_integers() -> None:
    assert [item.uniq_id for item in read("f_id_integers.json").items] == [1, 2, 10]


def test_odd_paths_are_kept_letter_by_letter() -> None:
    paths = [item.path for item in read("f_path_odd.json").items]
    assert paths == ["café 狗 %20 #1.wav", "./clip.wav", "a//b.wav", "[red]x[/red].wav"]


def test_description_is_kept_letter_by_letter() -> None:
    item = read("c_meta_info_repr.json").items[0]
    assert not isinstance(item, FoundationItem)
    assert item.meta_info == "{'emotion': 'neutral', 'gender': 'male', 'transcription': \"it's {not} json\"}"
