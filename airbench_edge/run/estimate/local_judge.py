"""How many tokens a local judge would read, and how long it takes here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from airbench_edge.judges.contract import JudgeRequest
from airbench_edge.judges.llamacpp import LlamaJudge
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.memory import memory_of
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary
from airbench_edge.run.estimate.figures import Judging


def estimate_llama(
    path: Path,
    settings: JudgeSettings,
    requests: Sequence[JudgeRequest],
    sample: Sequence[JudgeRequest],
    seen: Callable[[int, int], None],
) -> Judging:
    """Count all prompts with the tokenizer of the model, and judge the sample to measure the time.

    Args:
        path: The GGUF file.
        settings: How it would be asked.
        requests: All prompts.
        sample: Prompts to judge, the time of the first one not counted; empty for none.
        seen: Told (prompts judged, prompts to judge) after each prompt.

    Raises:
        InputError: The file cannot be a judge, or does not fit into memory.
    """
    counts = _count(path, requests)
    seconds = _seconds_a_token(path, settings, sample, seen) if len(sample) > 1 else None
    return Judging(
        judge=f"llama:{path}",
        requests=len(counts),
        prompt_tokens=sum(counts),
        longest=max(counts, default=0),
        tokenizer="its own",
        memory=memory_of(open_model_file(path), max(counts, default=0)).total,
        measured=len(sample) - 1 if seconds is not None else 0,
        hours=None if seconds is None else seconds * sum(counts) / 3600,
    )


def _count(path: Path, requests: Sequence[JudgeRequest]) -> list[int]:
    file = open_model_file(path)
    vocabulary = Vocabulary(file)
    try:
        chat = Chat(file, vocabulary)
        return [len(chat.tokens(request.prompt)) for request in requests]
    finally:
        vocabulary.close()


def _seconds_a_token(
    path: Path, settings: JudgeSettings, sample: Sequence[JudgeRequest], seen: Callable[[int, int], None]
) -> float | None:
    """Seconds a prompt token, in the order in which a run would judge; the first reply has loaded the weights."""
    judge = LlamaJudge(path, free_form=settings.free_form, prompt=settings.prompt)
    try:
        began, tokens = 0.0, 0
        for done, (_, reply) in enumerate(judge.replies(sample), 1):
            if done == 1:
                began = time.perf_counter()
            else:
                tokens += reply.prompt_tokens
            seen(done, len(sample))
        return (time.perf_counter() - began) / tokens if tokens else None
    finally:
        judge.close()
