from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.example_run import JUDGE, example_run, judged, manifest
from helpers.made_items import answered, by_key, open_question, question, unanswered, verdicts
from helpers.released_scorers import cal_score, score_foundation

from airbench_edge.benchmark.items import ItemKey
from airbench_edge.benchmark.prompts import judge_prompt
from airbench_edge.benchmark.records import AlignedLetter, Order, State
from airbench_edge.benchmark.scores.accuracy import Accuracy
from airbench_edge.report.build import build_report
from airbench_edge.report.exports import official_files
from airbench_edge.report.model import ReportModel
from airbench_edge.run.folder import Aligned, RunData


def written(folder: Path, run: RunData) -> Path:
    for name, content in official_files(run).files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def folders_of(model: ReportModel, letters: int = 0) -> dict[str, Accuracy]:
    scores = model.letters[letters].scores
    return {folder.folder: folder.official for task in (*scores.tasks, *scores.others) for folder in task.folders}


def test_released_foundation_scorer_prints_our_official_figures(tmp_path: Path) -> None:
    run = example_run()
    folders, failed = score_foundation(written(tmp_path, run) / "Foundation_result_modelx.jsonl")
    ours = folders_of(build_report(run))
    assert {name: tuple(folder) for name, folder in folders.items()} == {
        name: (official.n, official.right, official.value) for name, official in ours.items()
    }
    assert failed == sum(official.undecided for official in ours.values())


def test_released_chat_scorer_prints_our_official_figures(tmp_path: Path) -> None:
    run = example_run()
    folder = written(tmp_path, run) / "judged" / JUDGE.name
    scores = build_report(run).judges[0].scores
    first, first_failed = cal_score(folder / "chat_score.json")
    second, second_failed = cal_score(folder / "chat_score_cir.json")
    for group in scores.groups:
        a, b = group.reference_first, group.model_first
        assert tuple(first[group.name]) == (a.n, a.win_rate, a.reference, a.model)
        assert tuple(second[group.name]) == (b.n, b.win_rate, b.model, b.reference)
    assert first_failed == scores.average.reference_first.failed
    assert second_failed == scores.average.model_first.failed


def test_aligned_responses_give_the_aligned_figures(tmp_path: Path) -> None:
    run = example_run()
    foundation = [item for item in run.items if item.key.track == "foundation"]
    records = {item.key: AlignedLetter(item.uniq_id, "C.") for item in foundation[::2]}
    aligned = Aligned(JUDGE, tuple(item.uniq_id for item in foundation), records)
    run = example_run(letters={"qwen": aligned})
    folders, _ = score_foundation(written(tmp_path, run) / "aligned" / "qwen" / "Foundation_result_modelx.jsonl")
    ours = folders_of(build_report(run), letters=1)
    assert {name: tuple(folder) for name, folder in folders.items()} == {
        name: (official.n, official.right, official.value) for name, official in ours.items()
    }


def test_fields_and_their_order_are_the_released_ones(tmp_path: Path) -> None:
    folder = written(tmp_path, example_run())
    assert " ".join(lines(folder / "Foundation_result_modelx.jsonl")[0]) == (
        "path question choice_a choice_b choice_c choice_d answer_gt task_name dataset_name response uniq_id"
    )
    assert " ".join(lines(folder / "Chat_result_modelx.jsonl")[0]) == (
        "meta_info question answer_gt path task_name dataset_name response uniq_id"
    )
    assert " ".join(lines(folder / "judged" / JUDGE.name / "batch_run_output.jsonl")[0]) == (
        "uuid openai_args meta_info path question answer_gt task_name dataset_name Audio-LLM-response gen "
        "prompt_tokens completion_tokens finish_reason"
    )


def test_the_judge_file_holds_what_was_asked(tmp_path: Path) -> None:
    item = open_question(7)
    run = made_run(
        [item], [answered(item, "Ein Mann.\n二")], {JUDGE.name: judged([item], verdicts(item, "8 7", "6 9"))}
    )
    folder = written(tmp_path, run) / "judged" / JUDGE.name
    (swapped,) = lines(folder / "batch_run_output_cir.jsonl")
    assert swapped["openai_args"]["messages"][0]["content"] == judge_prompt(item, "Ein Mann.\n二", Order.MODEL_FIRST)
    assert (swapped["gen"], swapped["Audio-LLM-response"]) == ("6 9", "Ein Mann.\n二")


def test_items_without_a_response_have_no_line_and_an_empty_response_has_one(tmp_path: Path) -> None:
    said, silent, unheard, failed, ahead = (question(number) for number in range(5))
    responses = [
        answered(said, "B"),
        answered(silent, ""),
        unanswered(unheard, State.MISSING_AUDIO),
        unanswered(failed, State.FAILED),
    ]
    run = made_run([said, silent, unheard, failed, ahead], responses)
    found = lines(written(tmp_path, run) / "Foundation_result_modelx.jsonl")
    assert [(line["uniq_id"], line["response"]) for line in found] == [(0, "B"), (1, "")]


def test_a_right_answer_that_equals_no_option_is_written_as_the_option_that_it_means(tmp_path: Path) -> None:
    item = msgspec.structs.replace(question(1), answer_gt="Trumpet ", accepted=("B",))
    path = written(tmp_path, made_run([item], [answered(item, "B")])) / "Foundation_result_modelx.jsonl"
    folders, _ = score_foundation(path)
    assert folders["Music_AQA_music_avqa"].correct == 1


def test_a_folder_that_would_crash_the_scorer_is_left_out_and_named(tmp_path: Path) -> None:
    good, bad = question(1), question(2, "Sound_AQA", "avqa")
    run = made_run([good, bad], [answered(good, "B"), answered(bad, "hm")])
    folders, _ = score_foundation(written(tmp_path, run) / "Foundation_result_modelx.jsonl")
    assert list(folders) == ["Music_AQA_music_avqa"]
    assert "leaves out Sound_AQA_avqa" in official_files(run).remarks[0]


def test_groups_that_the_chat_scorer_cannot_count_are_named(tmp_path: Path) -> None:
    known, unknown = open_question(1), open_question(2, "smell_QA")
    items = [known, unknown]
    replies = [*verdicts(known, "8 7", None), *verdicts(unknown, "1 1", "1 1")]
    run = made_run(items, [answered(item, "A man.") for item in items], {JUDGE.name: judged(items, replies)})
    remarks = official_files(run).remarks
    place = f"judged/{JUDGE.name}/chat_score"
    assert f"{place}.json leaves out smell_QA" in remarks[0]
    assert f"{place}.json has no verdict that cal_score.py can read for sound, music," in remarks[1]
    assert f"{place}_cir.json has no verdict that cal_score.py can read for speech, sound," in remarks[3]
    scores = json.loads((written(tmp_path, run) / f"{place}_cir.json").read_text(encoding="utf-8"))
    assert [record["gpt-score"] for record in scores] == [""]
    with pytest.raises(ZeroDivisionError):
        cal_score(tmp_path / f"{place}_cir.json")


def made_run(items: list[Any], responses: list[Any], judges: dict[str, Any] | None = None) -> RunData:
    given: dict[ItemKey, Any] = by_key(*responses)
    return example_run(items=tuple(items), manifest=manifest(items), responses=given, verdicts=judges or {})
