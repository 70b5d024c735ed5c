from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.errors import InputError
from airbench_edge.judges.prices import Price, price_of


def test_the_judge_of_the_published_table_has_a_price() -> None:
    price = price_of("gpt-4-0125-preview")
    assert (price.input_per_million, price.output_per_million) == (10.0, 30.0)
    # 1,000 tokens in at 10 and 100 out at 30 a million: 0.010 + 0.003.
    assert price.of(1000, 100) == pytest.approx(0.013)


def test_the_file_of_the_user_adds_and_replaces(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('as_of = "2027-02-01"\n[models]\n"gpt-4o" = { input = 1, output = 2.5 }\n')
    assert price_of("gpt-4o", file) == Price(1.0, 2.5, "2027-02-01")
    assert price_of("gpt-4.1", file) == price_of("gpt-4.1")
    file.write_text('[models]\n"local" = { input = 0, output = 0 }\n')
    assert price_of("local", file) == Price(0.0, 0.0, "mine.toml")


def test_an_unknown_price_asks_for_one() -> None:
    with pytest.raises(InputError, match=r"price of gpt-99 is not known: give --prices FILE"):
        price_of("gpt-99")


@pytest.mark.parametrize(
    "content",
    ['[models]\n"m" = { input = -1, output = 2 }\n', '[models]\n"m" = { in = 1, output = 2 }\n', "[models", "\xff", ""],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=r"mine\.toml is no table of prices"):
        price_of("m", file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.toml cannot be read"):
        price_of("m", tmp_path / "gone.toml")
