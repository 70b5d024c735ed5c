"""A judge in process: a GGUF model run by llama.cpp."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from airbench_edge.benchmark.prompts import JUDGE_PROMPTS, JudgePrompt
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.llamacpp_scores import ScoreLine
from airbench_edge.judges.naming import prompt_suffix, slug
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.choice import weigh
from airbench_edge.llama.engine import Engine, EngineError, Logits
from airbench_edge.llama.instrument import instrument
from airbench_edge.llama.memory import memory_of
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.reply import write_reply
from airbench_edge.llama.vocabulary import Vocabulary

FREE_FORM_TOKENS = 1024  # max_tokens of the released scorer
_CONSTRAINED_TOKENS = 64  # room for every allowed reply at once


class LlamaJudge:
    """Asks a local model, at temperature 0, in its own chat format.

    By default the model chooses among the replies ``"1 1"`` to ``"10 10"`` (or among the letters of an alignment), so
    that every reply can be read; with ``free_form`` it writes what it likes, as the released scorer lets it.

    Args:
        path: The GGUF file; the first part of a split one.
        free_form: Let it write freely, at most 1024 tokens.
        prompt: Which prompt its requests are written with.
        tell: Told what memory the judge takes, before that is taken.

    Raises:
        InputError: The file cannot be a judge. The weights themselves are loaded with the first request.
    """

    def __init__(
        self,
        path: Path,
        *,
        free_form: bool = False,
        prompt: JudgePrompt = "official",
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._file = open_model_file(path)
        self._vocabulary = Vocabulary(self._file)
        self._chat = Chat(self._file, self._vocabulary)
        self._engine = Engine(path)
        self._line = None if free_form else ScoreLine(self._chat, self._vocabulary.line_ends)
        self._reply_room = FREE_FORM_TOKENS if free_form else _CONSTRAINED_TOKENS
        self._longest = self._file.context_length
        self._tell = tell
        self._told = 0
        self._identity = self._describe(prompt)

    @property
    def identity(self) -> JudgeIdentity:
        """Weights, engine, template and form of reply."""
        return self._identity

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Answer all requests, those with a common beginning one after the other.

        A prompt that leaves no room for a reply fails as ``too_long`` before anything is evaluated; none is ever cut.

        Raises:
            InputError: The weights or their context do not fit into memory.
        """
        prompts = [np.array(self._chat.tokens(request.prompt), dtype=">i4") for request in requests]
        fitting = []
        for place, prompt in enumerate(prompts):
            if len(prompt) + _CONSTRAINED_TOKENS > self._longest:
                yield requests[place], JudgeReply(text=None, failure="too_long", prompt_tokens=len(prompt))
            else:
                fitting.append(place)
        if not fitting:
            return
        longest = max(len(prompts[place]) for place in fitting)
        room = min(longest + self._reply_room, self._longest)
        if room > self._told:
            self._told = room
            self._tell(self._memory(longest, room))
        self._engine.make_room(room)
        for place in sorted(fitting, key=lambda place: prompts[place].tobytes()):  # order of tokens, compared as bytes
            yield requests[place], self._reply(requests[place], prompts[place].tolist())

    def close(self) -> None:
        """Free the weights."""
        self._engine.close()
        self._vocabulary.close()

    def _memory(self, longest: int, room: int) -> str:
        """What it takes, in one sentence."""
        memory = memory_of(self._file, room)
        total, weights, kept, work = (round(part / 2**20) for part in (memory.total, *memory))
        where = " where no GPU takes it" if self._engine.offloads else ""
        return (
            f"{self._identity.name} takes about {total:,} MiB of memory{where}: weights {weights:,}, keys and values "
            f"of {room:,} tokens {kept:,}, work {work:,}; the longest prompt has {longest:,} tokens, and the model "
            f"knows {self._longest:,}."
        )

    def _reply(self, request: JudgeRequest, prompt: list[int]) -> JudgeReply:
        try:
            logits = self._engine.prompt(prompt)
            if self._line is None:
                return self._free_reply(logits, len(prompt))
            if request.letters:
                return self._letter(logits, request.letters, len(prompt))
            pair = self._line.choose(self._engine, logits)
        except EngineError:
            return JudgeReply(text=None, failure="engine_error", prompt_tokens=len(prompt))
        return JudgeReply(
            text=f"{pair.scores[0]} {pair.scores[1]}",
            finish="stop",
            expected=pair.expected,
            entropy=pair.entropy,
            format_mass=pair.format_mass,
            prompt_tokens=len(prompt),
            completion_tokens=pair.tokens,
        )

    def _letter(self, logits: Logits, letters: Sequence[str], prompt_tokens: int) -> JudgeReply:
        """The letter most likely to begin the reply, whatever follows it."""
        tokens = [self._chat.reply_tokens(letter) for letter in letters]
        choice = weigh(self._engine, logits, tokens, ends=())
        return JudgeReply(
            text=letters[choice.best],
            finish="stop",
            format_mass=choice.mass,
            prompt_tokens=prompt_tokens,
            completion_tokens=len(tokens[choice.best]),
        )

    def _free_reply(self, logits: Logits, prompt_tokens: int) -> JudgeReply:
        most = min(FREE_FORM_TOKENS, self._longest - prompt_tokens)
        reply = write_reply(self._engine, self._vocabulary, logits, most)
        return JudgeReply(
            text=reply.text, finish=reply.finish, prompt_tokens=prompt_tokens, completion_tokens=reply.tokens
        )

    def _describe(self, prompt: JudgePrompt) -> JudgeIdentity:
        free = self._line is None
        details = {
            **instrument(self._file, self._engine),
            "context": f"as long as the prompts, at most {self._longest} tokens",
            "template": self._chat.template,
            "judge prompt": JUDGE_PROMPTS[prompt],
            "sampling": "temperature 0",
            "reply": f"free form, at most {FREE_FORM_TOKENS} tokens"
            if free
            else "two integers 1-10, most likely as wholes",
        }
        name = slug(self._file.stem) + ("-free" if free else "") + prompt_suffix(prompt)
        return JudgeIdentity(kind="llama", name=name, details=details)
