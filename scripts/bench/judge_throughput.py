"""Verdicts per minute of the local judge against ``create_chat_completion`` item by item, on the same prompts.

    python scripts/bench/judge_throughput.py [--judge FILE.gguf] [--items 2] [--runs 1 4] [--rounds 2] [--prompt edge]

The other side asks in the order of the released files (all items with the reference first, then all with the model
first, run after run), unconstrained, for as many tokens as a verdict has; it too keeps what a prompt shares with the
one before. It is timed with the prompt of the judge and with the official one. All sides use all cores and take turns.
It is also checked that every verdict, log-probabilities included, is that of a freshly started judge
(``--no-cold`` skips that). ``judge_tokens.py`` counts what can be gained at best.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec

from airbench_edge.benchmark.dataset import load_dataset
from airbench_edge.benchmark.items import ChatItem, Track
from airbench_edge.benchmark.prompts import JudgePrompt, judge_prompt
from airbench_edge.benchmark.records import Order
from airbench_edge.builtin import resolve
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.llamacpp import LlamaJudge
from airbench_edge.llama.engine import usable_cores
from airbench_edge.llama.library import library

if TYPE_CHECKING:
    from llama_cpp import Llama

REPLY_TOKENS = 5  # two scores of at most two digits and the blank, where digits are tokens
DEFAULT_JUDGE = Path.home() / ".cache" / "airbench-edge" / "judges" / "SmolLM2-135M-Instruct.Q4_1.gguf"


def requests(items: int, runs: int, prompt: JudgePrompt = "official", words: int = 0) -> list[JudgeRequest]:
    """Prompts about short made-up responses, spread over the tasks of the built-in data set, in file order.

    Args:
        items: Number of items.
        runs: Number of runs, whose responses differ.
        prompt: How they are asked.
        words: Words that are added to each description, different ones for each item.
    """
    chat = [item for item in load_dataset(resolve("small"), [Track.CHAT]).items if isinstance(item, ChatItem)]
    chosen = [
        msgspec.structs.replace(item, meta_info=f"{item.meta_info} {' '.join(f'{item.uniq_id}' for _ in range(words))}")
        for item in chat[:: max(1, len(chat) // items)][:items]
    ]
    responses = ("I hear {}.", "There is no {} here.", "{}", "It could be {}, but also something else.")
    return [
        JudgeRequest(
            f"{run}/{item.uniq_id}", order, judge_prompt(item, responses[run].format(other.answer_gt), order, prompt)
        )
        for (run, text), order in itertools.product(enumerate(responses[:runs]), Order)
        for item, other in zip(chosen, [*chosen[1:], chosen[0]], strict=True)
    ]


def timed(task: Callable[[], list[str]]) -> tuple[float, float, list[str]]:
    """Seconds on the clock, seconds of CPU, and what a task returned."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = task()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def ask_judge(judge: LlamaJudge, asked: list[JudgeRequest]) -> dict[JudgeRequest, JudgeReply]:
    """All replies of one judge."""
    return dict(judge.replies(asked))


def ask_judge_texts(judge: LlamaJudge, asked: list[JudgeRequest]) -> list[str]:
    """Its texts, in the order given."""
    replies = ask_judge(judge, asked)
    return [str(replies[request].text) for request in asked]


def ask_cold(path: Path, request: JudgeRequest) -> JudgeReply:
    """The reply of a judge that has evaluated nothing before."""
    judge = LlamaJudge(path)
    reply = ask_judge(judge, [request])[request]
    judge.close()
    return reply


def ask_completions(model: Llama, asked: list[JudgeRequest]) -> list[str]:
    """One chat completion a request, in the order given."""
    texts = []
    for request in asked:
        reply = model.create_chat_completion(
            [{"role": "user", "content": request.prompt}], temperature=0.0, max_tokens=REPLY_TOKENS
        )
        assert isinstance(reply, dict)  # not a stream
        texts.append(str(reply["choices"][0]["message"]["content"]))
    return texts


def compare(path: Path, model: Llama, asked: list[JudgeRequest], official: list[JudgeRequest], rounds: int) -> None:
    """Let all sides answer in turns, and print rates, their ratios and what is equal."""
    costs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    texts: dict[str, list[str]] = {}
    for turn in range(rounds):
        judge = LlamaJudge(path)
        ask_judge(judge, asked[:1])  # loads the weights
        sides: dict[str, Callable[[], list[str]]] = {
            "judge": functools.partial(ask_judge_texts, judge, asked),
            "same prompt": functools.partial(ask_completions, model, asked),
        }
        if official != asked:
            sides["official prompt"] = functools.partial(ask_completions, model, official)
        judge._engine.evaluated = 0
        for side in sides if turn % 2 == 0 else reversed(sides):
            wall, cpu, texts[side] = timed(sides[side])
            costs[side].append((wall, cpu))
        print(f"  tokens evaluated by the judge: {judge._engine.evaluated / len(asked):.0f} a verdict")
        judge.close()
    best = {side: tuple(map(min, zip(*cost, strict=True))) for side, cost in costs.items()}
    for side, (wall, cpu) in best.items():
        ratio = "" if side == "judge" else f": {wall / best['judge'][0]:.2f} and {cpu / best['judge'][1]:.2f} times"
        name = "judge" if side == "judge" else f"create_chat_completion, {side}"
        print(f"  {name:39} {60 * len(asked) / wall:6.1f} a minute, {cpu / len(asked):6.2f} CPU-seconds each{ratio}")
    same = sum(ours == theirs.strip() for ours, theirs in zip(texts["judge"], texts["same prompt"], strict=True))
    print(f"  same text as an unconstrained reply: {same} of {len(asked)}")


def check_cold(path: Path, asked: list[JudgeRequest]) -> None:
    """Print how many replies of one judge are, bit for bit, those of judges that start cold."""
    judge = LlamaJudge(path)
    together = ask_judge(judge, asked)
    judge.close()
    same = sum(ask_cold(path, request) == together[request] for request in asked)
    print(f"  same reply and distribution, bit for bit, as from a cold start: {same} of {len(asked)}")


def main() -> None:
    """Read the options and print one block for each number of runs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--judge", type=Path, default=DEFAULT_JUDGE)
    parser.add_argument("--items", type=int, default=2)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 4], choices=range(1, 5))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--prompt", choices=get_args(JudgePrompt), default="official")
    parser.add_argument("--cold", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()
    cores = usable_cores()
    library()  # before llama_cpp, so that both sides run with the same thread settings
    from llama_cpp import Llama

    model = Llama(
        str(options.judge), n_ctx=4096, n_threads=cores, n_threads_batch=cores, n_gpu_layers=-1, verbose=False
    )
    for runs in options.runs:
        asked = requests(options.items, runs, options.prompt)
        print(
            f"{options.judge.name}, {options.prompt}, {runs} run(s), {len(asked)} verdicts, {cores} threads", flush=True
        )
        compare(options.judge, model, asked, requests(options.items, runs), options.rounds)
    if options.cold:
        check_cold(options.judge, requests(options.items, options.runs[0], options.prompt))


if __name__ == "__main__":
    main()
