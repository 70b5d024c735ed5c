from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.judge_weights import TINY_JUDGE, qwen, smollm2
from helpers.tiny_gguf import write_tiny

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.prompts import judge_prompt
from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.llamacpp import LlamaJudge

pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')


def request(answer: str, uniq_id: int = 0, order: Order = Order.REFERENCE_FIRST) -> JudgeRequest:
    return JudgeRequest(uniq_id, order, f"[Question]\nWhat barks?\n[One]\nA dog.\n[Two]\n{answer}\nGive two scores.")


ANSWERS = ["A dog.", "A dog barks loudly.", "A cat", "", "<|im_end|>", "10 10", "犬"]
REQUESTS = [request(answer, place) for place, answer in enumerate(ANSWERS)]


def ask(path: Path, requests: Sequence[JudgeRequest], *, free_form: bool = False) -> dict[JudgeRequest, JudgeReply]:
    judge = LlamaJudge(path, free_form=free_form)
    replies = dict(judge.replies(requests))
    judge.close()
    return replies


def test_every_reply_is_two_integers_with_their_distribution() -> None:
    replies = ask(TINY_JUDGE, REQUESTS)
    assert set(replies) == set(REQUESTS)
    for reply in replies.values():
        assert reply.text and reply.expected and reply.entropy and reply.format_mass
        scores = [int(word) for word in reply.text.split(" ")]
        assert len(scores) == 2 and all(1 <= score <= 10 for score in scores)
        assert all(1 <= mean <= 10 for mean in reply.expected)
        assert all(0 <= entropy <= math.log(10) for entropy in reply.entropy)  # most for ten equal shares
        assert 0 < reply.format_mass <= 1
        assert (reply.finish, reply.failure) == ("stop", "")
        assert reply.completion_tokens == len(reply.text) + 1  # a byte a token, and the end


def test_verdicts_do_not_depend_on_company_or_order() -> None:
    together = ask(TINY_JUDGE, REQUESTS)
    shuffled = random.Random(0).sample(REQUESTS, len(REQUESTS))
    assert ask(TINY_JUDGE, shuffled) == together
    for one in REQUESTS[2:4]:
        assert ask(TINY_JUDGE, [one]) == {one: together[one]}


def test_what_prompts_share_is_evaluated_once() -> None:
    judge = LlamaJudge(TINY_JUDGE)
    shared = "The same long beginning. " * 20
    requests = [JudgeRequest(number, Order.MODEL_FIRST, f"{shared}{number}") for number in range(4)]
    replies = [reply for _, reply in judge.replies(requests)]
    # 500 bytes and more are shared: four prompts cost little more than one.
    assert judge._engine.evaluated < 2 * replies[0].prompt_tokens
    judge.close()


def test_an_item_that_does_not_fit_fails_by_name_and_the_next_is_judged(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "short.gguf", {"llama.context_length": 512})
    long, short = JudgeRequest(1, Order.MODEL_FIRST, "x" * 60_000), request("A dog.", 2)
    replies = ask(path, [long, short])
    assert replies[long].text is None
    assert replies[long].failure == "too_long"
    assert replies[long].prompt_tokens > 60_000
    assert replies[short].text


def test_if_nothing_fits_nothing_is_loaded(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "short.gguf", {"llama.context_length": 512})
    judge = LlamaJudge(path)
    path.unlink()
    long = JudgeRequest(1, Order.MODEL_FIRST, "x" * 60_000)
    assert [reply.failure for _, reply in judge.replies([long])] == ["too_long"]
    judge.close()


@pytest.mark.parametrize("letters", [("A", "B"), ("B", "D"), ("C",)])
def test_an_alignment_gets_one_of_the_letters_that_exist(letters: tuple[str, ...]) -> None:
    asked = [JudgeRequest(number, None, f"Which option is meant? {number}", letters) for number in range(5)]
    for reply in ask(TINY_JUDGE, asked).values():
        assert reply.text in letters
        assert (reply.expected, reply.entropy, reply.completion_tokens) == (None, None, 1)


def test_numbers_that_are_one_token_and_blanks_that_belong_to_the_next_number(tmp_path: Path) -> None:
    # Here "10" is one token, and "8 7" is "8" and " 7", as in vocabularies that do not split digits.
    merges = ["1 0", *(f"Ġ {digit}" for digit in range(1, 10)), "Ġ 10"]
    path = write_tiny(tmp_path / "joined.gguf", merges=merges)
    for reply in ask(path, REQUESTS).values():
        assert reply.text
        assert [1 <= int(word) <= 10 for word in reply.text.split(" ")] == [True, True]
        assert reply.completion_tokens == 3


def test_free_form_is_whatever_the_model_writes(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "short.gguf", {"llama.context_length": 200})
    (reply,) = ask(path, [REQUESTS[0]], free_form=True).values()
    assert reply.text
    assert reply.expected is None
    assert reply.finish in ("stop", "length")
    if reply.finish == "length":
        assert reply.prompt_tokens + reply.completion_tokens == 200  # nothing but the context ends it


def test_identity_names_all_that_can_change_a_verdict(tmp_path: Path) -> None:
    identity = LlamaJudge(TINY_JUDGE).identity
    assert (identity.kind, identity.name) == ("llama", "tiny")
    assert set(identity.details) >= {"sha256", "engine", "cpu", "threads", "gpu", "piece", "template", "reply"}
    assert set(identity.details) >= {"context", "sampling", "judge prompt"}
    assert identity == LlamaJudge(TINY_JUDGE).identity
    assert LlamaJudge(TINY_JUDGE, free_form=True).identity.name == "tiny-free"
    other = write_tiny(tmp_path / "tiny.gguf", {"general.name": "Other"})
    assert LlamaJudge(other).identity.name == "tiny"
    assert LlamaJudge(other).identity != identity


def test_a_bad_file_is_refused_before_any_request(tmp_path: Path) -> None:
    path = tmp_path / "judge.gguf"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(InputError, match="Git LFS pointer"):
        LlamaJudge(path)


def test_a_file_without_context_length_is_refused(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "judge.gguf", {"llama.context_length": None})
    with pytest.raises(InputError, match="context length"):
        LlamaJudge(path)


def test_scores_that_join_the_prompt_are_refused(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "judge.gguf", {"tokenizer.chat_template": "{{ messages[0].content }}1"}, ["1 1"])
    with pytest.raises(InputError, match="--free-form"):
        LlamaJudge(path)
    assert LlamaJudge(path, free_form=True).identity.name == "judge-free"


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    ask(TINY_JUDGE, REQUESTS[:1])
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_real_model_ends_its_turn_in_free_form() -> None:
    (reply,) = ask(smollm2(), [JudgeRequest(0, None, "Say hello.")], free_form=True).values()
    assert reply.finish == "stop"
    assert reply.text


@pytest.mark.slow
def test_a_usable_judge_expects_more_of_a_right_answer() -> None:
    item = ChatItem(
        uniq_id=1,
        task="sound_QA",
        dataset="made",
        path="made.wav",
        question="What animal can be heard?",
        answer_gt="A dog can be heard barking.",
        meta_info="A dog barks while cars pass by.",
    )
    answers = ("It is a dog, barking.", "A piano plays a waltz.")
    asked = {
        JudgeRequest(answer, order, judge_prompt(item, answer, order)): (answer, order)
        for answer in answers
        for order in Order
    }
    expected = dict.fromkeys(answers, 0.0)
    for question, reply in ask(qwen(), list(asked)).items():
        answer, order = asked[question]
        assert reply.expected and reply.format_mass
        assert reply.format_mass > 0.9
        expected[answer] += reply.expected[1 if order is Order.REFERENCE_FIRST else 0] / 2
    # Means of both orders; in four trials right answers were 0.6 to 1.2 points above wrong ones.
    assert expected[answers[0]] > expected[answers[1]] + 0.2


def test_it_tells_its_memory_once_before_it_begins() -> None:
    told: list[str] = []
    judge = LlamaJudge(TINY_JUDGE, tell=told.append)
    longest = max(reply.prompt_tokens for _, reply in judge.replies(REQUESTS))
    list(judge.replies(REQUESTS[:2]))
    judge.close()
    assert len(told) == 1
    # 2 layers of 4 heads of 16 for keys and for values, 2 bytes each: 512 bytes a token, 64 of them for the reply.
    assert f"keys and values of {longest + 64:,} tokens {round((longest + 64) * 512 / 2**20)}" in told[0]
    assert f"the longest prompt has {longest:,} tokens" in told[0]
