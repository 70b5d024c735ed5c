from __future__ import annotations

import io
import random
from collections.abc import Sequence

import jsonschema
import msgspec
import pytest
from helpers.judged_runs import items_of, run_by, same

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.tasks import CHAT_TASKS
from airbench_edge.errors import InputError
from airbench_edge.report.calibration import CalibrationModel, calibrate, refuse_one_judge
from airbench_edge.report.schemas import schemas
from airbench_edge.report.terminal.calibration import print_calibration
from airbench_edge.run.folder import RunData
from airbench_edge.run.selection import spread

FOLDERS = {(folder.task, folder.dataset): 40 for task in CHAT_TASKS for folder in task.folders}
ITEMS = items_of(FOLDERS)


def run(sampled: Sequence[ChatItem], follows: bool = True) -> RunData:
    """The reference judge gives 1 to 9, the cheap one a point more if it follows, else anything."""
    dice = random.Random(3)
    truth = {item.uniq_id: dice.randint(1, 9) for item in ITEMS}
    cheap = [same(truth[item.uniq_id] + 1 if follows else dice.randint(1, 10)) for item in ITEMS]
    ids = {item.uniq_id for item in sampled}
    reference = [same(truth[item.uniq_id]) if item.uniq_id in ids else None for item in ITEMS]
    return run_by(ITEMS, cheap, reference)


def calibrated(found: RunData, sampled: Sequence[ChatItem]) -> CalibrationModel:
    return calibrate(found, found.verdicts["small"], found.verdicts["large"], {item.uniq_id for item in sampled})


def printed(model: CalibrationModel) -> str:
    file = io.StringIO()
    print_calibration(model, file)
    return file.getvalue()


def test_a_judge_that_is_always_a_point_too_high_is_put_right_exactly() -> None:
    """Its differences from the reference are all 1: the corrected score is that of the whole run, less one.

    lambda stays below 1 (1 / (1 + n / (N - n)) = 7/8 for 5 of 40 in each folder), so that an interval is left.
    """
    sample = spread(ITEMS, 50, 0)
    model = calibrated(run(sample), sample)
    assert model.average.corrected is not None
    assert model.average.alone is not None
    assert model.average.cheap is not None
    truth = model.average.cheap - 1
    assert model.average.corrected.interval.low < truth < model.average.corrected.interval.high
    assert abs(model.average.corrected.value - truth) < 0.2
    width, alone = (
        found.interval.high - found.interval.low for found in (model.average.corrected, model.average.alone)
    )
    assert width < 0.6 * alone
    assert model.average.gain > 3
    assert 0.5 < model.average.weight <= 1
    assert (model.average.items, model.average.sample) == (400, 50)
    assert [part.name for part in model.categories] == ["speech", "sound", "music", "mixed"]
    assert len(model.groups) == 5


def test_a_judge_that_knows_nothing_changes_little_and_widens_nothing() -> None:
    sample = spread(ITEMS, 50, 0)
    model = calibrated(run(sample, follows=False), sample)
    for part in (*model.groups, *model.categories, model.average):
        assert part.alone is not None
        assert part.corrected is not None
        width, alone = (found.interval.high - found.interval.low for found in (part.corrected, part.alone))
        assert width <= alone
        if not part.weight:
            assert (part.corrected, part.gain) == (part.alone, 1.0)


def test_verdicts_beyond_the_sample_are_not_used() -> None:
    sample = spread(ITEMS, 50, 0)
    more = run(spread(ITEMS, 120, 0))
    assert calibrated(more, sample) == calibrated(run(sample), sample)


def test_a_folder_without_a_sample_leaves_its_means_open() -> None:
    sample = [item for item in spread(ITEMS, 50, 0) if item.folder != "music_QA_musiccaps"]
    model = calibrated(run(sample), sample)
    music = next(part for part in model.categories if part.name == "music")
    assert (music.corrected, music.missing) == (None, ("music",))
    assert (model.average.corrected, model.average.missing) == (None, ("music",))
    speech = next(part for part in model.categories if part.name == "speech")
    assert speech.corrected is not None
    assert "Music lacks a sample: music_QA_musiccaps." in printed(model)


def test_items_that_cannot_be_scored_by_both_are_counted() -> None:
    sample = spread(ITEMS, 50, 0)
    model = calibrated(run(sample[:-1]), sample)
    assert model.average.sample == 49
    assert "1 drawn item left out: not scored by both judges" in printed(model)


def test_nothing_in_common_is_one_sentence() -> None:
    found = run([])
    with pytest.raises(InputError, match="no item of runs/one in common"):
        calibrated(found, ITEMS)


def test_a_sample_too_small_for_any_group_is_refused_with_the_size_that_it_takes() -> None:
    # Two items in two folders; each of the folders needs two.
    sample = spread(ITEMS, 2, 0)
    with pytest.raises(InputError, match=f"give --items {2 * len(FOLDERS)} or more"):
        calibrated(run(sample), sample)


def test_a_judge_cannot_correct_itself() -> None:
    judge = run(ITEMS).verdicts["small"].identity
    with pytest.raises(InputError, match="cannot correct itself"):
        refuse_one_judge(judge, msgspec.structs.replace(judge, name="copy"))


def test_at_80_columns_every_name_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")  # no colours, whose codes would count
    file = Terminal()
    sample = spread(ITEMS, 50, 0)
    print_calibration(calibrated(run(sample), sample), file)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  speech + music") for line in lines)


def test_the_page_and_the_json() -> None:
    sample = spread(ITEMS, 50, 0)
    model = calibrated(run(sample), sample)
    out = printed(model)
    for words in ("small", "large", "its integers predict", "Calibrated", "Speech", "  speech + sound", "Average"):
        assert words in out
    jsonschema.Draft202012Validator(schemas()["calibration-1"]).validate(
        msgspec.json.decode(msgspec.json.encode(model))
    )
