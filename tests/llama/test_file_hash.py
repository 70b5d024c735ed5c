from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from airbench_edge.llama.file_hash import sha256_of


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "airbench-edge" / "sha256"


def test_hash_of_one_file_and_of_parts(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"ab")
    two.write_bytes(b"c")
    assert sha256_of([one]) == hashlib.sha256(b"ab").hexdigest()
    assert sha256_of([one, two]) == hashlib.sha256(b"abc").hexdigest()


def test_a_known_file_is_not_read_again(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"ab")
    sha256_of([file])
    (remembered,) = cache.iterdir()
    remembered.write_text("0" * 64)
    assert sha256_of([file]) == "0" * 64


def test_a_changed_file_and_a_broken_memory_are_read_again(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"ab")
    sha256_of([file])
    next(cache.iterdir()).write_text("nonsense")
    assert sha256_of([file]) == hashlib.sha256(b"ab").hexdigest()
    file.write_bytes(b"cd")
    os.utime(file, ns=(1, 1))
    assert sha256_of([file]) == hashlib.sha256(b"cd").hexdigest()


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"ab")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))  # a file where a folder should be
    assert sha256_of([file]) == hashlib.sha256(b"ab").hexdigest()
