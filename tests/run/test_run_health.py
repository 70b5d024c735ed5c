from __future__ import annotations

from pathlib import Path

import pytest
from helpers import simulated_judges
from helpers.simulated_judges import SimulatedJudge

from airbench_edge.errors import InputError
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.judges.health.check import check
from airbench_edge.judges.health.plan import quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.run.health import keep_card, read_card

PERFECT, CONSTANT = SimulatedJudge(simulated_judges.perfect), SimulatedJudge(simulated_judges.constant)


def card(judge: SimulatedJudge, probes: int = 1) -> HealthCard:
    return check(judge, quick_plan(all_probes(), probes), lambda done, total: None).card


def test_each_judge_has_its_card_and_a_newer_one_takes_its_place(tmp_path: Path) -> None:
    keep_card(tmp_path, card(PERFECT))
    keep_card(tmp_path, card(CONSTANT))
    assert read_card(tmp_path, PERFECT.identity) == card(PERFECT)
    assert read_card(tmp_path, CONSTANT.identity) == card(CONSTANT)
    keep_card(tmp_path, card(PERFECT, 2))
    assert read_card(tmp_path, PERFECT.identity) == card(PERFECT, 2)
    assert len(list((tmp_path / "health").iterdir())) == 2


def test_a_judge_of_the_same_name_and_other_weights_has_none(tmp_path: Path) -> None:
    keep_card(tmp_path, card(PERFECT))
    assert read_card(tmp_path, SimulatedJudge(simulated_judges.perfect, sha256="bb").identity) is None


def test_a_card_of_another_form_is_none_and_stops_nothing(tmp_path: Path) -> None:
    keep_card(tmp_path, card(PERFECT))
    (file,) = (tmp_path / "health").iterdir()
    file.write_text('{"identity": 3}')
    assert read_card(tmp_path, PERFECT.identity) is None


def test_a_card_that_cannot_be_read_is_named_and_not_taken_for_none(tmp_path: Path) -> None:
    keep_card(tmp_path, card(CONSTANT))
    (file,) = (tmp_path / "health").iterdir()
    file.unlink()
    file.mkdir()
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\)"):
        read_card(tmp_path, CONSTANT.identity)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "health").write_text("in the way")
    with pytest.raises(InputError, match="health"):
        keep_card(tmp_path, card(PERFECT))
