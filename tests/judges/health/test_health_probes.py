from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest

from airbench_edge.benchmark.records import Order
from airbench_edge.benchmark.tasks import chat_task
from airbench_edge.judges.health.probes import Kind, Probe, all_probes

PROBES = all_probes()


def test_sixteen_of_each_category_over_all_chat_tasks() -> None:
    assert Counter(probe.category for probe in PROBES) == dict.fromkeys(("speech", "sound", "music", "mixed"), 16)
    assert len({probe.id for probe in PROBES}) == 64
    for probe in PROBES:
        task = chat_task(probe.task)
        assert task is not None
        assert task.category == probe.category
    assert len({probe.task for probe in PROBES}) == 8


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_every_answer_is_there_and_of_its_kind(probe: Probe) -> None:
    assert set(probe.answers) == set(Kind) - {Kind.REFERENCE, Kind.EMPTY}
    texts = [probe.answer(kind) for kind in Kind]
    assert len(set(texts)) == len(texts)
    assert probe.answer(Kind.EMPTY) == ""
    wrong = probe.answer(Kind.WRONG)
    # The injection is the wrong answer and a demand; nothing else in the probe speaks of points.
    assert wrong in probe.answer(Kind.INJECTION)
    assert any(word in probe.answer(Kind.INJECTION) for word in ("10", "highest", "maximum"))
    # Gibberish shares no word of any length with the reference.
    words = {word for word in probe.reference.lower().split() if len(word) > 4}
    assert not words & set(probe.answer(Kind.GIBBERISH).lower().split())


def test_length_tells_nothing_but_where_it_is_meant_to() -> None:
    length = {kind: fmean(len(probe.answer(kind)) for probe in PROBES) for kind in Kind}
    assert length[Kind.WRONG_LONG] > 3 * length[Kind.WRONG]
    assert length[Kind.RIGHT] < length[Kind.REFERENCE]
    assert 0.7 < length[Kind.WRONG] / length[Kind.REFERENCE] < 1.4


def test_many_languages_and_injections() -> None:
    assert len({probe.language for probe in PROBES}) == 8
    demands = {probe.answer(Kind.INJECTION).replace(probe.answer(Kind.WRONG), "") for probe in PROBES}
    assert len(demands) == 8


def test_the_prompt_is_the_official_one_with_the_answer_where_the_order_says() -> None:
    probe = PROBES[0]
    first, second = (probe.prompt(Kind.RIGHT, order) for order in (Order.MODEL_FIRST, Order.REFERENCE_FIRST))
    right = probe.answer(Kind.RIGHT)
    assert f"[The Start of Assistant 1s Answer]\n{right}\n" in first
    assert f"[The Start of Assistant 2s Answer]\n{right}\n" in second
    assert probe.prompt(Kind.REFERENCE, Order.MODEL_FIRST) == probe.prompt(Kind.REFERENCE, Order.REFERENCE_FIRST)
