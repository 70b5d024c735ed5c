from __future__ import annotations

from pathlib import Path

import pytest
from helpers.judge_weights import TINY_JUDGE
from helpers.tiny_gguf import Value, gguf_bytes, tiny_metadata, write_tiny

from airbench_edge.errors import InputError
from airbench_edge.llama.model_file import open_model_file

TINY = TINY_JUDGE.read_bytes()


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        open_model_file(path)
    message = str(caught.value)
    assert str(path) in message
    return message


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "Git LFS pointer"),
        (b"", "empty"),
        (b"tjgg\x03\x00\x00\x00", "old GGML format"),
        (b"lmgg\x00\x7d\x00\x00", "old GGML format"),
        (b'\x10\x00\x00\x00\x00\x00\x00\x00{"a":{"dtype":1}}', "safetensors"),
        (b"PK\x03\x04\x14\x00", "zip archive or PyTorch"),
        (b"<!DOCTYPE html><html>Sign in</html>", "web page"),
        (b"RIFF\x00\x00\x00\x00WAVE", "not a GGUF file"),
        (b"GGUF\x63\x00\x00\x00" + bytes(16), "version is 99"),
        (b"GGUF\x00\x00\x00\x03" + bytes(16), "byte order"),
        (b"GGUF", "header is cut"),
        (TINY[:3000], "header is cut"),
        (TINY[:-100], r"cut: 112348 of 112448 bytes"),
    ],
)
def test_other_files_are_named_for_what_they_are(tmp_path: Path, data: bytes, what: str) -> None:
    path = tmp_path / "judge.gguf"
    path.write_bytes(data)
    assert what in refusal(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert "cannot be read (No such file or directory)" in refusal(tmp_path / "absent.gguf")
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"general.type": "adapter"}, "LoRA adapter"),
        ({"general.type": "mmproj"}, "projector"),
        ({"general.architecture": "clip"}, "projector"),
        ({"llama.pooling_type": 1}, "embedding"),
    ],
)
def test_models_that_write_no_text(tmp_path: Path, changes: dict[str, Value], what: str) -> None:
    assert what in refusal(write_tiny(tmp_path / "other.gguf", changes))


def test_a_vocabulary_without_weights(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(gguf_bytes(tiny_metadata(), []))
    assert "vocabulary only" in refusal(path)


def test_a_whole_file() -> None:
    file = open_model_file(TINY_JUDGE)
    assert (file.parts, file.stem) == ((TINY_JUDGE,), "tiny")
    assert file.chat_template


def test_split_models_are_opened_by_their_first_part(tmp_path: Path) -> None:
    first = write_tiny(tmp_path / "big-00001-of-00002.gguf", {"split.count": 2})
    assert "big-00002-of-00002.gguf is missing" in refusal(first)
    second = tmp_path / "big-00002-of-00002.gguf"
    second.write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(InputError, match=r"00002-of-00002.gguf is a Git LFS pointer"):
        open_model_file(first)
    write_tiny(second, {"split.count": 2})
    file = open_model_file(first)
    assert (file.parts, file.stem) == ((first, second), "big")
    assert "name the first one, big-00001-of-00002.gguf" in refusal(second)


def test_a_renamed_part(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "big-00001-of-00002.gguf", {"split.count": 2})
    assert "renamed" in refusal(path.rename(tmp_path / "judge.gguf"))
