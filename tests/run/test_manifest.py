"""Two commands share a folder only when they are about the same thing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.items import Track
from airbench_edge.errors import InputError
from airbench_edge.run.data_source import DataSource
from airbench_edge.run.manifest import FORMAT, Manifest, check_same, read_manifest
from airbench_edge.run.selection import Selection

MANIFEST = Manifest(
    format=FORMAT,
    model=Identity("onnx", "nano", {"decoder": "aa", "family": "qwen2_audio"}),
    data=DataSource("small", "f1", 200, 40, synthetic=True),
    selection=Selection((Track.CHAT, Track.FOUNDATION), limit=8),
    prompt="official",
)


def test_a_manifest_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(MANIFEST))
    assert read_manifest(tmp_path / "run.json") == MANIFEST


def test_every_difference_is_named_with_both_values() -> None:
    asked = msgspec.structs.replace(
        MANIFEST,
        model=Identity("onnx", "nano", {"decoder": "bb", "max_new_tokens": "9"}),
        selection=Selection((Track.CHAT,), limit=None),
        prompt="strict",
    )
    with pytest.raises(InputError) as refused:
        check_same(Path("runs/a"), MANIFEST, asked)
    message = str(refused.value)
    assert message.startswith("runs/a holds a run of something else: ")
    assert 'model.details.decoder is "aa" there and "bb" in this command' in message
    assert 'model.details.family is "qwen2_audio" there and absent in this command' in message
    assert 'model.details.max_new_tokens is absent there and "9" in this command' in message
    assert "selection.limit is 8 there and null in this command" in message
    assert 'selection.tracks is ["chat","foundation"] there and ["chat"] in this command' in message
    assert 'prompt is "official" there and "strict" in this command' in message
    assert "model.name" not in message
    assert message.endswith("or another output folder.")


def test_the_same_and_a_moved_data_folder_are_accepted() -> None:
    check_same(Path("a"), MANIFEST, MANIFEST)
    moved = msgspec.structs.replace(MANIFEST.data, name="small-copy")
    check_same(Path("a"), MANIFEST, msgspec.structs.replace(MANIFEST, data=moved))


def test_changed_data_is_refused() -> None:
    other = msgspec.structs.replace(MANIFEST.data, fingerprint="f2")
    with pytest.raises(InputError, match=r'data.fingerprint is "f1" there and "f2"'):
        check_same(Path("a"), MANIFEST, msgspec.structs.replace(MANIFEST, data=other))


def test_a_newer_format_is_refused_even_if_its_fields_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 2, "models": []}')
    with pytest.raises(InputError, match=r"newer airbench-edge \(format 2, this one reads up to 1\)"):
        read_manifest(tmp_path / "run.json")


@pytest.mark.parametrize("content", ["", "{", '{"format": 1}', '{"format": "one"}', "[]"])
def test_a_damaged_manifest_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(InputError, match=r"run\.json is damaged"):
        read_manifest(tmp_path / "run.json")


def test_a_folder_without_one_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no run folder: its run\.json cannot be read \(No such file"):
        read_manifest(tmp_path / "run.json")
