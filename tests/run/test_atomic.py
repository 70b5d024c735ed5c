"""A file is the old one or the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.errors import InputError
from airbench_edge.run.atomic import in_place_of, write_atomically


def test_the_content_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_atomically(path, b"old")
    with pytest.raises(KeyboardInterrupt), in_place_of(path) as file:
        file.write(b"half of it")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"file/run\.json cannot be written \(Not a directory\)"):
        write_atomically(tmp_path / "file" / "run.json", b"x")
