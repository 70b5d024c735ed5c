"""A folder is begun once, gone on with by the same command only, and reopened without the data set."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from helpers.run_parts import Loudness, load, manifest_of, write_dataset

from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.benchmark.notes import Note
from airbench_edge.benchmark.records import Response, State
from airbench_edge.errors import InputError
from airbench_edge.run.folder import RESPONSES, load_run
from airbench_edge.run.journal import Journal
from airbench_edge.run.manifest import FORMAT, Manifest
from airbench_edge.run.open_run import create_or_open, reopen


@pytest.fixture
def data_root(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "data", with_audio=False)


def begin(path: Path, data_root: Path) -> Manifest:
    data = load(data_root)
    manifest = manifest_of(data, Loudness())
    with create_or_open(path, manifest, data.items, data.notes) as run:
        assert run.manifest == manifest
    return manifest


def test_what_was_planned_can_be_read_without_the_data_set(tmp_path: Path, data_root: Path) -> None:
    # An id that is missing makes a note; notes are kept like items.
    meta = data_root / "Chat" / "Chat_meta.json"
    meta.write_text(meta.read_text().replace('"uniq_id": 0, ', "", 1))
    data = load(data_root)
    manifest = begin(tmp_path / "run", data_root)
    shutil.rmtree(data_root)
    run = load_run(tmp_path / "run")
    assert (run.manifest, run.items, run.notes) == (manifest, data.items, data.notes)
    assert isinstance(run.notes[0], Note)
    assert (run.machine, run.responses, run.letters, run.verdicts, run.timings) == (None, {}, {}, {}, ())
    with reopen(tmp_path / "run") as opened:
        assert opened.items == data.items
        assert (len(opened.foundation), len(opened.chat)) == (12, 8)


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path, data_root: Path) -> None:
    begin(tmp_path / "run", data_root)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.json*")}
    begin(tmp_path / "run", data_root)
    data = load(data_root)
    other = manifest_of(data, Loudness(), limit=3)
    with (
        pytest.raises(InputError, match="limit is null there and 3 in this command"),
        create_or_open(tmp_path / "run", other, data.items, data.notes),
    ):
        pass
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.json*")} == before


def test_a_start_that_was_killed_before_the_manifest_is_begun_again(tmp_path: Path, data_root: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "items.jsonl").write_bytes(b"half a li")
    (run / "notes.jsonl.tmp").write_bytes(b"")
    (run / "run.lock").write_bytes(b"")
    begin(run, data_root)
    assert len(load_run(run).items) == 20


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, data_root: Path) -> None:
    other = tmp_path / "photos"
    other.mkdir()
    (other / "cat.jpg").write_bytes(b"")
    with pytest.raises(InputError, match=r"photos is not empty and holds no run"):
        begin(other, data_root)
    assert [path.name for path in other.iterdir()] == ["cat.jpg"]


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path, data_root: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(InputError, match="cannot be the output folder"):
            begin(path, data_root)


def test_reopening_something_else_leaves_no_trace(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no run folder"), reopen(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_refused(tmp_path: Path, data_root: Path) -> None:
    begin(tmp_path / "run", data_root)
    with (
        reopen(tmp_path / "run"),
        pytest.raises(InputError, match="is being written by process"),
        reopen(tmp_path / "run"),
    ):
        pass


def test_the_last_of_repeated_rows_counts_and_unknown_rows_are_counted(tmp_path: Path, data_root: Path) -> None:
    """Rows 0, 0, 1 and 99 of 20 items: two are done, one is about no item of the run."""
    begin(tmp_path / "run", data_root)
    rows = [(1, "A"), (0, "B"), (0, "C"), (99, "D")]
    with Journal(tmp_path / "run" / RESPONSES, Response) as journal:
        for uniq_id, text in rows:
            journal.append(Response(Track.FOUNDATION, uniq_id, State.ANSWERED, text))
    run = load_run(tmp_path / "run")
    assert [(key, response.text) for key, response in run.responses.items()] == [
        (ItemKey(Track.FOUNDATION, 0), "C"),  # in the order of the items, not of the file
        (ItemKey(Track.FOUNDATION, 1), "A"),
    ]
    assert run.ignored == 1


def test_damaged_items_and_newer_formats_are_named(tmp_path: Path, data_root: Path) -> None:
    manifest = begin(tmp_path / "run", data_root)
    (tmp_path / "run" / "items.jsonl").write_bytes(b'{"track": "foundation"')
    with pytest.raises(InputError, match=r"items\.jsonl cannot be used"):
        load_run(tmp_path / "run")
    newer = msgspec.structs.replace(manifest, format=FORMAT + 1)
    (tmp_path / "run" / "run.json").write_bytes(msgspec.json.encode(newer))
    with pytest.raises(InputError, match="newer airbench-edge"):
        load_run(tmp_path / "run")


def test_items_that_stand_twice_and_a_file_without_any_are_refused(tmp_path: Path, data_root: Path) -> None:
    begin(tmp_path / "run", data_root)
    items = tmp_path / "run" / "items.jsonl"
    lines = items.read_bytes().splitlines(keepends=True)
    items.write_bytes(b"".join([*lines, lines[0]]))
    with pytest.raises(InputError, match=r"items\.jsonl has the item 0 of the foundation track more than once"):
        load_run(tmp_path / "run")
    items.write_bytes(b"")
    with pytest.raises(InputError, match=r"items\.jsonl holds no item"), reopen(tmp_path / "run"):
        pass


def test_verdicts_that_cannot_be_read_are_named_and_not_taken_for_none(tmp_path: Path, data_root: Path) -> None:
    begin(tmp_path / "run", data_root)
    assert load_run(tmp_path / "run").verdicts == {}
    (tmp_path / "run" / "verdicts").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match=r"verdicts cannot be read \(Not a directory\)"):
        load_run(tmp_path / "run")
