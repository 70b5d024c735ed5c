"""What a run remembers of its data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.run_parts import load, write_dataset

from airbench_edge.errors import InputError
from airbench_edge.run.data_source import DataSource, describe


def test_a_data_set_is_called_after_its_folder_unless_it_says_otherwise(tmp_path: Path) -> None:
    data = load(write_dataset(tmp_path / "small", per_folder=2, with_audio=False))
    assert describe(data.root, data) == DataSource("small", data.fingerprint, foundation=6, chat=4, synthetic=False)
    (data.root / "dataset.json").write_text('{"name": "tones", "synthetic": true, "made_by": "a script"}')
    assert describe(data.root, data) == DataSource("tones", data.fingerprint, foundation=6, chat=4, synthetic=True)


@pytest.mark.parametrize("card", ["", "[]", '{"name": 3}', '{"synthetic": true}'])
def test_a_card_of_another_form_is_named(tmp_path: Path, card: str) -> None:
    data = load(write_dataset(tmp_path / "small", per_folder=1, with_audio=False))
    (data.root / "dataset.json").write_text(card)
    with pytest.raises(InputError, match=r"dataset\.json cannot be used"):
        describe(data.root, data)
