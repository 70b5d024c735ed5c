from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.audio.piece import Joined


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.binary(max_size=20), max_size=5),
    st.lists(st.tuples(st.integers(-5, 120), st.sampled_from([0, 1, 2]), st.integers(0, 40)), max_size=8),
)
def test_joined_parts_read_like_one_file(parts: list[bytes], moves: list[tuple[int, int, int]]) -> None:
    whole, joined = io.BytesIO(b"".join(parts)), Joined(parts)
    size = len(whole.getvalue())
    for offset, whence, count in moves:
        base = {0: 0, 1: whole.tell(), 2: size}[whence]
        whole.seek(min(max(0, base + offset), size))
        assert joined.seek(offset, whence) == whole.tell()
        assert joined.read(count) == whole.read(count)
        assert joined.tell() == whole.tell()
