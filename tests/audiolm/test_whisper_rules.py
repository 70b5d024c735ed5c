from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.audiolm.whisper.folder import Tokens
from airbench_edge.audiolm.whisper.rules import allowed_log_probabilities, log_softmax

# Text 0-9, end 10, start 11, no speech 12, no timestamps 13, timestamps 14-24 (0 to 0.2 s); the first at most 0.06 s.
TOKENS = Tokens(
    eos_token_id=10,
    decoder_start_token_id=11,
    no_timestamps_token_id=13,
    suppress_tokens=[3, 11, 12],
    begin_suppress_tokens=[10],
    max_initial_timestamp_index=3,
)
VOCABULARY, FIRST = 25, 14
TEXT = {0, 1, 2, 4, 5, 6, 7, 8, 9}


def allowed(made: list[int], logits: np.ndarray | None = None) -> set[int]:
    flat = np.zeros(VOCABULARY, np.float32) if logits is None else logits.astype(np.float32)
    return set(np.flatnonzero(np.isfinite(allowed_log_probabilities(flat, made, TOKENS))).tolist())


def favour_text() -> np.ndarray:
    return np.where(np.arange(VOCABULARY) < FIRST, 5.0, 0.0)


def test_log_softmax_is_a_logarithm_of_shares() -> None:
    # e^0 : e^1 : e^-inf = 1 : e : 0
    shares = np.exp(log_softmax(np.array([0.0, 1.0, -np.inf], np.float32)))
    np.testing.assert_allclose(shares, np.array([1.0, np.e, 0.0]) / (1.0 + np.e), rtol=1e-6)


def test_a_window_begins_with_an_early_timestamp() -> None:
    assert allowed([], favour_text()) == {14, 15, 16, 17}


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        # After the first timestamp: text, or the end; no second timestamp at the same moment.
        ([15], TEXT | {10}),
        # Within a piece: text, its end, or a later timestamp.
        ([15, 4], TEXT | {10} | set(range(16, 25))),
        # A piece was ended: the next begins at once or later, or all is over; no text outside of a piece.
        ([15, 4, 18], {10} | set(range(18, 25))),
        # A new piece began: text only.
        ([15, 4, 18, 19], TEXT | {10}),
    ],
)
def test_timestamps_come_in_pairs_and_never_go_back(made: list[int], wanted: set[int]) -> None:
    assert allowed(made, favour_text()) == wanted


def test_timestamps_that_are_likelier_together_than_any_text_win() -> None:
    # Nine timestamps of e^0 = 9 against text of e^2 = 7.4 each; then against e^2.3 = 9.97.
    for height, timestamps_win in ((2.0, True), (2.3, False)):
        logits = np.where(np.arange(VOCABULARY) < FIRST, height, 0.0)
        assert (allowed([15, 4], logits) == set(range(16, 25))) is timestamps_win


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_greedy_writing_keeps_the_rules(seed: int) -> None:
    random = np.random.default_rng(seed)
    made: list[int] = []
    for _ in range(30):
        logprobs = allowed_log_probabilities(random.normal(0, 3, VOCABULARY).astype(np.float32), made, TOKENS)
        # The shares of what is allowed add up to 1.
        assert np.exp(logprobs[np.isfinite(logprobs)]).sum() == pytest.approx(1, abs=1e-4)
        token = int(logprobs.argmax())
        if token == TOKENS.eos_token_id:
            break
        made.append(token)
    times = [token for token in made if token >= FIRST]
    assert times == sorted(times)
    assert made[0] in range(FIRST, FIRST + 4)
    assert not {3, 11, 12, 13} & set(made)
