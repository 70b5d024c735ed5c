from __future__ import annotations

import msgspec
import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged, with_expected

from airbench_edge.benchmark.items import Item, ItemKey
from airbench_edge.benchmark.records import AlignedLetter, Response, State
from airbench_edge.benchmark.scores.accuracy import Accuracy
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.build import build_report
from airbench_edge.report.model import FoundationReading, Gap, ReportModel
from airbench_edge.run.folder import Aligned

EXPECTED = official_case.expected()
ITEMS = official_case.items()


@pytest.fixture(scope="module")
def report() -> ReportModel:
    return build_report(example_run())


def _changed(item: Item, **changes: object) -> dict[ItemKey, Response]:
    responses = official_case.responses()
    return {**responses, item.key: msgspec.structs.replace(responses[item.key], **changes)}


def test_figures_of_the_released_scorers(report: ReportModel) -> None:
    assert sum(task.official.n for task in report.letters[0].scores.tasks) == EXPECTED["foundation"]["total"]
    assert report.judges[0].scores.average.official.value == EXPECTED["chat"]["average"]


def test_what_was_run(report: ReportModel) -> None:
    assert report.audiolm.name == "nano"
    assert report.providers == {"audio_encoder": "CPUExecutionProvider"}
    assert report.judges[0].judge == JUDGE
    assert report.foundation is not None
    assert report.chat is not None
    assert (report.foundation.planned, report.chat.planned) == (540, 228)


def test_standing_among_the_published(report: ReportModel) -> None:
    # 4.77 stands below BLSP (5.33) and above PandaGPT (mean of its row 4.2575).
    place = report.judges[0].places["average"].standing
    assert (place.rank, place.of) == (7, 11)
    assert place.above is not None
    assert place.above[0] == "BLSP"
    # 4.44 to 5.12 crosses no published average.
    assert (report.judges[0].places["average"].best, report.judges[0].places["average"].worst) == (7, 7)
    assert set(report.letters[0].places) == {"speech", "sound", "music", "average"}


def test_synthetic_data_has_no_standing() -> None:
    report = build_report(example_run(synthetic=True))
    assert report.letters[0].places == report.judges[0].places == {}


def test_items_without_a_response_are_named() -> None:
    missing, pending = ITEMS[0], ITEMS[-1]
    responses = _changed(missing, state=State.MISSING_AUDIO, text=None, reason="missing: no such file")
    del responses[pending.key]
    report = build_report(example_run(responses=responses))
    assert report.gaps == (
        Gap(*missing.key, missing.folder, missing.path, State.MISSING_AUDIO, "missing: no such file"),
        Gap(*pending.key, pending.folder, pending.path, None, ""),
    )
    assert report.chat is not None
    assert report.chat.pending == 1


def test_one_track_only() -> None:
    report = build_report(example_run(items=tuple(official_case.chat_items())))
    assert report.foundation is None
    assert report.letters == ()


def test_a_sample_of_the_chat_items_is_scored_over_the_sample() -> None:
    chat = official_case.chat_items()
    sample = [item for item in chat if item.task == "sound_QA"][:5]
    ids = {item.uniq_id for item in sample}
    records = [verdict for verdict in official_case.verdicts().values() if verdict.uniq_id in ids]
    report = build_report(example_run(verdicts={JUDGE.name: judged(sample, records)}))
    judge = report.judges[0]
    assert judge.planned == 5
    assert judge.scores.categories[0].judged == judge.scores.categories[0].counts.planned == 5
    assert judge.scores.average.official.missing == ("speech", "music", "mixed")


def test_two_judges_are_never_mixed() -> None:
    other = JudgeIdentity("recorded", "other", {})
    swapped = [msgspec.structs.replace(verdict, text="1 1") for verdict in official_case.verdicts().values()]
    run = example_run()
    report = build_report(example_run(verdicts={**run.verdicts, "other": judged(ITEMS, swapped, other)}))
    assert [judge.judge.name for judge in report.judges] == [JUDGE.name, "other"]
    assert [judge.scores.average.official.value for judge in report.judges] == [EXPECTED["chat"]["average"], 1.0]


def test_names_under_which_a_judge_answered() -> None:
    first, *rest = official_case.verdicts().values()
    records = [
        msgspec.structs.replace(first, model="judge-b", fingerprint="fp_2"),
        *(msgspec.structs.replace(verdict, model="judge-a", fingerprint="fp_1") for verdict in rest),
    ]
    judge = build_report(example_run(verdicts={JUDGE.name: judged(ITEMS, records)})).judges[0]
    assert judge.models == {"judge-a": 455, "judge-b": 1}
    assert judge.fingerprints == {"fp_1": 455, "fp_2": 1}


def test_an_aligner_has_a_reading_of_its_own() -> None:
    foundation = official_case.foundation_items()
    records = [AlignedLetter(item.uniq_id, item.accepted[0]) for item in foundation]
    records[0] = AlignedLetter(foundation[0].uniq_id, failure="too_long")
    aligned = Aligned(JUDGE, tuple(item.uniq_id for item in foundation), {record.key: record for record in records})
    plain, with_aligner = build_report(example_run(letters={JUDGE.name: aligned})).letters
    assert plain.aligner is None
    assert (with_aligner.aligner, with_aligner.planned, with_aligner.replied) == (JUDGE, 540, 539)
    assert _music(plain).value != 1.0
    assert _music(with_aligner).value == 1.0


def _music(reading: FoundationReading) -> Accuracy:
    return next(task.official for task in reading.scores.tasks if task.task == "Music_AQA")


def test_seconds_that_were_not_heard() -> None:
    responses = _changed(ITEMS[0], duration_s=40.0, heard_s=30.0, warnings=("read to the end",))
    whole = ITEMS[1].key
    responses[whole] = msgspec.structs.replace(responses[whole], duration_s=5.01, heard_s=5.0)
    sound = build_report(example_run(responses=responses)).sound
    assert (sound.cut, sound.duration_s, sound.heard_s) == (1, 45.01, 35.0)
    assert sound.warnings == {"read to the end": 1}


def test_expected_scores_of_a_judge() -> None:
    # 7.5 for the answer that is read first and 4.25 for the other: (4.25 + 7.5) / 2 for the model.
    records = [with_expected(verdict) for verdict in official_case.verdicts().values()]
    report = build_report(example_run(verdicts={JUDGE.name: judged(ITEMS, records)}))
    assert report.judges[0].scores.average.expected == 5.875
