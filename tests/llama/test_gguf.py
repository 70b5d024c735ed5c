from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from helpers.judge_weights import TINY_JUDGE, smollm2
from helpers.tiny_gguf import CHATML, gguf_bytes, tiny_metadata
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.llama.gguf import Damaged, read_header

# The header of the tiny model is everything before its tensors' data, 256 * 64 floats of embedding and more.
TINY = TINY_JUDGE.read_bytes()
HEADER = TINY[: TINY.index(b"output_norm") + 2000]


def test_metadata_and_tensor_table_are_read() -> None:
    header = read_header(TINY_JUDGE)
    assert header.metadata["general.architecture"] == "llama"
    assert header.metadata["llama.context_length"] == 8192
    assert header.metadata["llama.attention.layer_norm_rms_epsilon"] == pytest.approx(1e-5)
    assert header.metadata["tokenizer.ggml.add_bos_token"] is False
    assert header.metadata["tokenizer.chat_template"] == CHATML
    assert header.tensors == 2 + 2 * 9  # embedding and output norm; a layer: 2 norms, 4 attention, 3 feed-forward


def test_arrays_are_left_out() -> None:
    assert "tokenizer.ggml.tokens" in tiny_metadata()
    assert "tokenizer.ggml.tokens" not in read_header(TINY_JUDGE).metadata


def test_announced_size_is_the_size_of_a_whole_file() -> None:
    # The last tensor, 64 * 96 weights at 18 bytes for 32, is 3456 = 108 * 32 bytes: no padding follows it.
    assert read_header(TINY_JUDGE).size == TINY_JUDGE.stat().st_size


def test_version_2_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "two.gguf"
    path.write_bytes(gguf_bytes({"general.architecture": "llama"}, [], version=2))
    assert read_header(path).metadata == {"general.architecture": "llama"}


@pytest.mark.parametrize(
    ("field", "what"),
    [
        ((1).to_bytes(4, "little"), "version is 1"),
        ((99).to_bytes(4, "little"), "version is 99"),
        ((3).to_bytes(4, "big"), "byte order"),
    ],
)
def test_other_versions_and_byte_orders_are_named(tmp_path: Path, field: bytes, what: str) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(TINY[:4] + field + TINY[8:])
    with pytest.raises(Damaged, match=what):
        read_header(path)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=5, max_value=len(HEADER) - 2000))
def test_a_cut_header_is_damaged(length: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cut.gguf")
        path.write_bytes(HEADER[:length])
        with pytest.raises(Damaged):
            read_header(path)


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=4, max_value=len(HEADER) - 1), st.binary(min_size=1, max_size=8))
def test_any_bytes_give_a_header_or_say_damaged(place: int, noise: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "noise.gguf")
        path.write_bytes(HEADER[:place] + noise + HEADER[place + len(noise) :])
        try:
            header = read_header(path)
        except Damaged:
            return
        assert header.size >= 0


@pytest.mark.slow
def test_announced_size_of_a_real_quantised_model() -> None:
    path = smollm2()
    assert read_header(path).size == path.stat().st_size
