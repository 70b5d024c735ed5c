from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from helpers import simulated_judges
from helpers.simulated_judges import SimulatedJudge

from airbench_edge.judges.health.check import Checked, check
from airbench_edge.judges.health.known import card_of
from airbench_edge.judges.health.plan import quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.judges.health.store import store, stored


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "airbench-edge" / "health"


def made(judge: SimulatedJudge, probes: int = 1) -> Checked:
    return check(judge, quick_plan(all_probes(), probes), lambda done, total: None)


def perfect(weights: str = "aa") -> SimulatedJudge:
    return SimulatedJudge(simulated_judges.perfect, weights=weights)


def test_a_card_is_kept_for_its_very_judge() -> None:
    checked = made(perfect("aa"))
    store(checked)
    assert stored(perfect("aa").identity) == checked
    assert stored(perfect("bb").identity) is None


def test_a_quick_card_does_not_take_the_place_of_a_fuller_one() -> None:
    fuller = made(perfect(), 3)
    store(fuller)
    store(made(perfect()))
    assert stored(perfect().identity) == fuller
    fullest = made(perfect(), 4)
    store(fullest)
    assert stored(perfect().identity) == fullest


def test_cards_of_other_probes_or_limits_and_damaged_ones_are_none(cache: Path) -> None:
    checked = made(perfect())
    old = msgspec.structs.replace(checked, card=msgspec.structs.replace(checked.card, edition="0-older"))
    store(old)
    assert stored(perfect().identity) is None
    (file,) = cache.iterdir()
    file.write_bytes(b"{")
    assert stored(perfect().identity) is None
    store(checked)
    assert stored(perfect().identity) == checked


def test_a_card_with_passing_failures_is_not_kept() -> None:
    checked = made(perfect())
    store(msgspec.structs.replace(checked, card=msgspec.structs.replace(checked.card, failures={"timeout": 1})))
    assert stored(perfect().identity) is None


def test_a_cache_that_cannot_be_written_costs_time_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    store(made(perfect()))
    assert stored(perfect().identity) is None


def test_a_judge_is_asked_once() -> None:
    watched = []

    @contextmanager
    def watch() -> Iterator[Callable[[int, int], None]]:
        watched.append(True)
        yield lambda done, total: None

    first, second = perfect(), perfect()
    card = card_of(first, watch)
    assert card is not None
    assert card_of(second, watch) == card
    assert (len(first.asked), len(second.asked), len(watched)) == (24, 0, 1)
