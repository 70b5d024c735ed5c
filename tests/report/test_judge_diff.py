from __future__ import annotations

import io
from dataclasses import replace

import jsonschema
import msgspec
from helpers.judged_runs import expecting, items_of, run_by, same

from airbench_edge.benchmark.records import Order
from airbench_edge.report.judge_diff import JudgeDiff, judge_diff
from airbench_edge.report.schemas import schemas
from airbench_edge.report.terminal.judge_diff import print_judge_diff

ITEMS = items_of({("speech_QA", "iemocap"): 4})


def difference() -> JudgeDiff:
    """Item 0 agrees, 1 moves by 1 and by -4, 2 becomes prose in one order, 3 is judged by the first alone."""
    run = run_by(
        ITEMS,
        [same(5), ("9 5", "5 9"), same(6), same(7)],
        [same(5), ("9 6", "1 9"), ("I like both.", "6 9"), None],
    )
    return judge_diff(run, run.verdicts["small"], run.verdicts["large"])


def printed(diff: JudgeDiff) -> str:
    file = io.StringIO()
    print_judge_diff(diff, file)
    return file.getvalue()


def test_verdicts_that_moved_the_worst_first() -> None:
    diff = difference()
    assert [(one.uniq_id, one.order, one.points) for one in diff.moved] == [
        (2, Order.REFERENCE_FIRST, None),
        (1, Order.MODEL_FIRST, -4),
        (1, Order.REFERENCE_FIRST, 1),
    ]
    assert (diff.common, diff.only_first, diff.only_second) == (6, 2, 0)
    assert (diff.moved[0].first, diff.moved[0].second, diff.moved[0].second_text) == ((9, 6), None, "I like both.")


def test_what_the_instruments_do_not_share() -> None:
    assert difference().details == {
        "kind": ("llama", "openai"),
        "name": ("small", "large"),
        "sha256": ("aa" * 32, ""),
        "model": ("", "gpt-4"),
    }


def test_expected_scores_may_move_where_integers_do_not() -> None:
    run = run_by(ITEMS[:1], [same(5)], [same(5)])
    sides = {
        name: replace(judged, records={key: expecting(verdict, 5 + shift) for key, verdict in judged.records.items()})
        for (name, judged), shift in zip(run.verdicts.items(), (0.0, 0.02), strict=True)
    }
    diff = judge_diff(run, sides["small"], sides["large"])
    assert diff.moved == ()
    assert diff.expected is not None
    assert abs(diff.expected - 0.02) < 1e-9
    assert "scores differ by at most 0.020" in printed(diff)


def test_the_page_and_the_json() -> None:
    out = printed(difference())
    assert "3 of 6 common verdicts (50.0 %)" in out
    assert "“I like both.”" in out
    assert "2 verdicts of the first, 0 of the second" in out
    jsonschema.Draft202012Validator(schemas()["judge-diff-1"]).validate(
        msgspec.json.decode(msgspec.json.encode(difference()))
    )
