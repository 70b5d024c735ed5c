from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from helpers.judge_weights import TINY_JUDGE, smollm2
from helpers.tiny_gguf import CONTROL, gguf_bytes, tiny_metadata, tiny_tensors

from airbench_edge.errors import InputError
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.engine import Engine, EngineError, Logits
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary

pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine(TINY_JUDGE)
    engine.make_room(600)
    yield engine
    engine.close()


def tokens(length: int, seed: int = 0) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(0, 256, length)]


def cold(path: Path, prompt: list[int]) -> Logits:
    engine = Engine(path)
    engine.make_room(len(prompt))
    logits = engine.prompt(prompt)
    engine.close()
    return logits


@pytest.mark.parametrize("shared", [0, 7, 8, 9, 130, 199])
def test_a_kept_beginning_changes_no_bit(engine: Engine, shared: int) -> None:
    first = tokens(200)
    second = [*first[:shared], *tokens(200 - shared, seed=1)]
    expected = cold(TINY_JUDGE, second)
    engine.prompt(first)
    before = engine.evaluated
    assert np.array_equal(engine.prompt(second), expected)
    assert engine.evaluated - before == 200 - min(shared, 200 - 9) // 8 * 8  # nine tokens at least in a piece


def test_where_a_border_changes_a_bit_only_whole_pieces_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # As on a machine whose kernels take rows together: there a token comes out otherwise in a batch of another size.
    monkeypatch.setattr(Engine, "_comes_out_the_same", lambda _: False)
    engine = Engine(TINY_JUDGE)
    engine.make_room(300)
    for shared, kept in ((127, 0), (128, 128), (199, 128)):
        first = tokens(200, seed=shared)
        second = [*first[:shared], *tokens(200 - shared, seed=1)]
        engine.prompt(first)
        before = engine.evaluated
        assert np.array_equal(engine.prompt(second), cold(TINY_JUDGE, second))
        assert engine.evaluated - before == 200 - kept
    engine.close()


def test_the_proof_tells_kernels_that_round_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(TINY_JUDGE)
    monkeypatch.setattr(engine._api, "LLAMA_FLASH_ATTN_TYPE_DISABLED", engine._api.LLAMA_FLASH_ATTN_TYPE_ENABLED)
    engine.make_room(300)
    proved = engine._comes_out_the_same()
    first = tokens(150)
    second = [*first[:100], *tokens(50, seed=1)]
    engine.prompt(first)
    engine._border = 8
    warm = engine.prompt(second)
    engine.forget()
    assert proved == np.array_equal(engine.prompt(second), warm)
    engine.close()


def test_nothing_that_went_before_changes_a_bit(engine: Engine) -> None:
    prompts = [[*tokens(start), *tokens(40, seed=start)] for start in (150, 20, 70, 150, 0)]
    expected = [cold(TINY_JUDGE, prompt) for prompt in prompts]
    for prompt, logits in zip(prompts, expected, strict=True):
        assert np.array_equal(engine.prompt(prompt), logits)
        branched = engine.branches([(1, 2), (3,), (1, 4, 5)])
        engine.extend([7, 8, 9])
        engine.branches([(1,)])
        assert np.array_equal(engine.prompt(prompt), logits)
        assert np.array_equal(engine.branches([(1, 2), (3,), (1, 4, 5)])[2][2], branched[2][2])


def test_the_same_prompt_again_evaluates_what_follows_its_last_border_only(engine: Engine) -> None:
    engine.prompt(tokens(96))
    before = engine.evaluated
    engine.prompt(tokens(96))
    assert engine.evaluated - before == 16  # borders at 0, 8, ... 88; nine tokens at least are evaluated anew


def test_forgetting_starts_cold(engine: Engine) -> None:
    engine.prompt(tokens(96))
    engine.forget()
    before = engine.evaluated
    engine.prompt(tokens(96))
    assert engine.evaluated - before == 96


def test_branches_say_what_extending_says_and_leave_no_trace(engine: Engine) -> None:
    prompt = tokens(50)
    engine.prompt(prompt)
    rows = engine.branches([(1, 2), (3,)])
    assert [len(path) for path in rows] == [2, 1]
    # Another batch size may round differently; logits here have a spread of several units.
    assert np.allclose(rows[0][1], engine.extend([1, 2]), atol=0.2)
    engine.prompt(prompt)
    assert np.allclose(rows[1][0], engine.extend([3]), atol=0.2)
    assert float(rows[0][1].std()) > 1


def test_more_room_changes_no_bit(engine: Engine) -> None:
    before = engine.prompt(tokens(100))
    engine.make_room(5000)
    assert np.array_equal(engine.prompt(tokens(100)), before)


def test_a_failed_evaluation_is_said_and_the_next_is_sound(engine: Engine) -> None:
    expected = engine.prompt(tokens(100))
    with pytest.raises(EngineError, match="llama_decode"):
        engine.prompt(tokens(1000))  # 600 tokens of room were asked for, 768 were made
    assert np.array_equal(engine.prompt(tokens(100)), expected)


def test_weights_that_compute_nonsense_are_noticed(tmp_path: Path) -> None:
    tensors = tiny_tensors(256 + len(CONTROL))
    name, values, kind = tensors[1]
    assert name == "output_norm.weight"
    path = tmp_path / "nan.gguf"
    path.write_bytes(gguf_bytes(tiny_metadata(), [tensors[0], (name, values * np.nan, kind), *tensors[2:]]))
    engine = Engine(path)
    engine.make_room(100)  # tries on a few tokens whether borders change a bit, and relies on none here
    with pytest.raises(EngineError, match="not finite"):
        engine.prompt(tokens(10))


def test_missing_tensors_are_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    path.write_bytes(gguf_bytes(tiny_metadata(), tiny_tensors(256 + len(CONTROL))[:5]))
    engine = Engine(path)
    with pytest.raises(InputError, match="cannot be loaded"):
        engine.make_room(100)


@pytest.mark.parametrize("length", [1, 8, 9, 128, 129, 136, 137, 138, 265])
def test_prompts_of_any_length_are_evaluated_whole(engine: Engine, length: int) -> None:
    prompt = tokens(length)
    before = engine.evaluated
    first = engine.prompt(prompt)
    assert engine.evaluated - before == length
    engine.prompt([*prompt[: length // 2], *tokens(40, seed=3)])
    assert np.array_equal(engine.prompt(prompt), first)


@pytest.mark.slow
def test_a_kept_beginning_changes_no_bit_of_a_real_model() -> None:
    path = smollm2()
    file = open_model_file(path)
    chat = Chat(file, Vocabulary(file))
    answers = ["A dog barks.", "It is a dog, barking twice in a yard.", "No idea."]
    prompts = [
        chat.tokens(
            f"Compare the answers.\n[Audio]\nA dog barks while it rains.\n[One]\n{one}\n[Two]\n{two}\nTwo scores:"
        )
        for one, two in itertools.product(answers, repeat=2)
    ]
    warm = Engine(path)
    warm.make_room(300)
    for prompt in prompts:
        assert np.array_equal(warm.prompt(prompt), cold(path, prompt))
    assert warm.evaluated < sum(map(len, prompts))
