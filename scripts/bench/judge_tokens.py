"""Tokens that judging takes: what a speed-up by shared beginnings can be at best, whatever the machine.

    python scripts/bench/judge_tokens.py [--judge FILE.gguf] [--items 20] [--runs 1 4] [--description 0 300 3000]

For each prompt and number of runs judged together, per verdict: tokens of the prompt; those that
``create_chat_completion`` evaluates in the order of the released files (it keeps what a prompt shares with the one
before); those that the judge evaluates; and the least that any order could, each distinct beginning once. The last
column is the second divided by the last: no speed-up beyond it is possible with this prompt. Descriptions can be made
longer by so many words: those of published dialogues have thousands of tokens, most others a few dozen.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from judge_throughput import DEFAULT_JUDGE, requests

from airbench_edge.benchmark.prompts import JudgePrompt
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary

BORDER, FEWEST = 8, 9


def shared(one: Sequence[int], other: Sequence[int]) -> int:
    """Length of the common beginning."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def evaluated(prompts: Sequence[Sequence[int]], border: int = 1, fewest: int = 1) -> int:
    """Tokens evaluated one prompt after the other, keeping what the one before shares down to a border.

    Of each at least the fewest are evaluated.
    """
    total, before = 0, prompts[0][:0]
    for prompt in prompts:
        total += len(prompt) - min(shared(before, prompt), len(prompt) - fewest) // border * border
        before = prompt
    return total


def print_counts(chat: Chat, items: int, runs: int, words: int, prompt: JudgePrompt) -> None:
    """Print one line of figures a verdict."""
    prompts = [chat.tokens(request.prompt) for request in requests(items, runs, prompt, words)]
    count, ordered = len(prompts), sorted(prompts)
    whole, theirs, ours = sum(map(len, prompts)), evaluated(prompts), evaluated(ordered, BORDER, FEWEST)
    least = evaluated(ordered)
    print(
        f"{prompt:8} {runs:4} {words:11} {whole / count:8.0f} {theirs / count:8.0f} {ours / count:8.0f}"
        f" {least / count:8.0f} {theirs / ours:8.2f} {theirs / least:8.2f}"
    )


def main() -> None:
    """Read the options and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--judge", type=Path, default=DEFAULT_JUDGE)
    parser.add_argument("--items", type=int, default=20)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 4], choices=range(1, 5))
    parser.add_argument("--description", type=int, nargs="+", default=[0, 300, 3000], metavar="WORDS")
    options = parser.parse_args()
    file = open_model_file(options.judge)
    chat = Chat(file, Vocabulary(file))
    print("prompt   runs description    whole   theirs     ours    least    ratio  at best")
    for prompt in get_args(JudgePrompt):
        for words in options.description:
            for runs in options.runs:
                print_counts(chat, options.items, runs, words, prompt)


if __name__ == "__main__":
    main()
