from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from helpers.judge_weights import TINY_JUDGE

from airbench_edge.llama.choice import weigh
from airbench_edge.llama.engine import Engine, Logits

pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')

DIGITS = [ord(digit) for digit in "0123456789"]  # a byte is its own token in the tiny model
NUMBERS = [tuple(ord(digit) for digit in str(number)) for number in range(1, 11)]
BLANK = ord(" ")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = Engine(TINY_JUDGE)
    engine.make_room(600)
    yield engine
    engine.close()


def shares(logits: Logits) -> npt.NDArray[np.float64]:
    exponent: npt.NDArray[np.float64] = np.exp(logits.astype(np.float64))
    exponent /= exponent.sum()
    return exponent


def by_hand(engine: Engine, prompt: list[int]) -> npt.NDArray[np.float64]:
    """P(number), that of 1 with a blank behind it, each evaluated token by token on its own."""
    weights = []
    for number in NUMBERS:
        weight, logits = 1.0, engine.prompt(prompt)
        for token in number:
            weight *= shares(logits)[token]
            logits = engine.extend([token])
        weights.append(weight * shares(logits)[BLANK] if number == NUMBERS[0] else weight)
    total: npt.NDArray[np.float64] = np.array(weights) / sum(weights)
    return total


@pytest.mark.parametrize("seed", range(3))
def test_numbers_are_weighed_as_wholes(engine: Engine, seed: int) -> None:
    prompt = np.random.default_rng(seed).integers(0, 256, 40).tolist()
    expected = by_hand(engine, prompt)
    choice = weigh(engine, engine.prompt(prompt), NUMBERS, [BLANK])
    assert np.allclose(choice.probabilities, expected, rtol=1e-5)  # exponentials in float32 here, in float64 there
    assert choice.probabilities.sum() == pytest.approx(1)


def test_the_mass_of_the_token_1_is_not_the_mass_of_the_number_1(engine: Engine) -> None:
    misled = 0
    for seed in range(60):
        prompt = np.random.default_rng(seed).integers(0, 256, 40).tolist()
        logits = engine.prompt(prompt)
        choice = weigh(engine, logits, NUMBERS, [BLANK])
        if int(logits[DIGITS[1:]].argmax()) == 0 and choice.best != 0:
            misled += 1
            assert by_hand(engine, prompt)[choice.best] > by_hand(engine, prompt)[0]
    assert misled  # there are prompts where looking at first digits would have said 1


def test_mass_counts_what_begins_alike_once(engine: Engine) -> None:
    logits = engine.prompt([1, 2, 3])
    choice = weigh(engine, logits, NUMBERS, [BLANK])
    assert choice.mass == pytest.approx(shares(logits)[DIGITS[1:]].sum())  # 10 lies within what begins with 1


def test_only_what_another_number_goes_on_from_is_evaluated(engine: Engine) -> None:
    logits = engine.prompt([1, 2, 3])
    before = engine.evaluated
    weigh(engine, logits, NUMBERS, [BLANK])
    assert engine.evaluated - before == 1  # the 1: is it followed by a 0 or by a blank?


def test_single_tokens_with_any_continuation_need_no_evaluation(engine: Engine) -> None:
    logits = engine.prompt([1, 2, 3])
    before = engine.evaluated
    choice = weigh(engine, logits, [(ord("A"),), (ord("B"),)], [])
    assert engine.evaluated == before
    first, second = shares(logits)[[ord("A"), ord("B")]]
    assert choice.probabilities == pytest.approx([first / (first + second), second / (first + second)])
    assert choice.mass == pytest.approx(first + second)


def test_weighing_leaves_the_engine_as_it_was(engine: Engine) -> None:
    logits = engine.prompt([1, 2, 3])
    once = weigh(engine, logits, NUMBERS, [BLANK])
    again = weigh(engine, logits, NUMBERS, [BLANK])
    assert np.array_equal(once.probabilities, again.probabilities)
