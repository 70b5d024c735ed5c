from __future__ import annotations

import pytest

from cascade.carried import TAGGER, WHISPERS
from known_bytes import KnownFile

FILES = [*TAGGER, *(file for files in WHISPERS.values() for file in files)]


@pytest.mark.parametrize("known", FILES, ids=lambda known: f"{known.packages[0]} {known.file}")
def test_the_parts_of_a_carried_file_add_up(known: KnownFile) -> None:
    last = known.size - (len(known.packages) - 1) * known.part_size
    assert 0 < last <= known.part_size
    assert len(known.sha256) == 64
    assert known.licence in ("MIT", "Apache-2.0")


def test_each_whisper_has_what_its_conversion_needs() -> None:
    for files in WHISPERS.values():
        assert [known.file for known in files] == ["model.bin", "config.json", "tokenizer.json"]
