"""The weights at work: prompts in, logits out, shared beginnings evaluated once.

What two prompts share is kept up to a border, a multiple of a few tokens counted from the first, and the rest is
evaluated in pieces from there. The logits must be, bit for bit, those of a cold start, though matrix kernels may round
a token differently in another batch size (llama.cpp pull request 6950). On a CPU without flash attention they do not,
as long as every piece begins where a group of rows begins that the kernels take together, four on x86, and has eight
rows or more. That was found by trying, so each engine tries it on the machine at hand before it relies on it. Where it
does not hold, and on a GPU, a border is where a piece ends, so that a piece is always evaluated in the same company.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from airbench_edge.errors import InputError
from airbench_edge.llama.library import last_errors, library

MAX_BRANCHES = 15
_BORDER = 8
_PIECE = 128  # longer is hardly faster and needs memory for as many rows of logits
_GPU_PIECE = 32  # both at once: short wastes matrix kernels, long wastes shared beginnings
_FEWEST = 9  # tokens in a piece; fewer would be evaluated by other kernels
_PROOF = 121  # evaluated in pieces of 121, 9 and 89 tokens: long, as short as can be, and no multiple of a group
_MAX_BATCH = 64
_CACHE_STEP = 256  # llama.cpp rounds the cache it looks at up to this; a multiple of it changes no result

Logits: TypeAlias = npt.NDArray[np.float32]


class EngineError(Exception):
    """One evaluation failed; the next may succeed."""


class _Entry(NamedTuple):
    token: int
    position: int
    sequence: int
    wanted: bool


class Engine:
    """One model, loaded when first needed, with one context.

    Attributes:
        threads: CPU threads used.
        layout: How prompts are evaluated, for people.
        offloads: Whether all layers are put on a GPU.
        evaluated: Tokens evaluated so far.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._api = library()
        self._model: Any = None
        self._context: Any = None
        self._batch: Any = None
        self._room = 0
        self._kept: list[int] = []
        self._end = 0
        self.threads = usable_cores()
        self.offloads = bool(self._api.llama_supports_gpu_offload())
        self._piece = _GPU_PIECE if self.offloads else _PIECE
        self._border = self._piece
        self.layout = f"{self._piece} tokens at a time" + ("" if self.offloads else ", no flash attention")
        self.evaluated = 0

    def make_room(self, tokens: int) -> None:
        """Load the weights if need be, and see to a context of at least so many tokens.

        Raises:
            InputError: The weights or the context do not fit into memory, or the weights are damaged.
        """
        is_new = self._model is None
        if is_new:
            self._load()
        if tokens > self._room:
            self._make_context(tokens)
        if is_new and not self.offloads and self._comes_out_the_same():
            self._border = _BORDER

    def _make_context(self, tokens: int) -> None:
        self._free_context()
        self._room = -(-tokens // _CACHE_STEP) * _CACHE_STEP
        parameters = self._api.llama_context_default_params()
        parameters.n_ctx = self._room
        parameters.n_batch = parameters.n_ubatch = max(_MAX_BATCH, self._piece + _FEWEST)
        parameters.n_seq_max = 1 + MAX_BRANCHES
        parameters.n_threads = parameters.n_threads_batch = self.threads
        parameters.kv_unified = True  # branches share the cells of the prompt
        if not self.offloads:
            parameters.flash_attn_type = self._api.LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.swa_full = True  # otherwise a sliding window forgets what the next prompt shares
        parameters.no_perf = True
        self._context = self._api.llama_init_from_model(self._model, parameters)
        if not self._context:
            self._room = 0
            raise InputError(
                f"{self._path} has no memory for {tokens} tokens ({last_errors()}): free some or use a smaller model."
            )
        self._memory = self._api.llama_get_memory(self._context)
        self._batch = self._api.llama_batch_init(parameters.n_batch, 0, 1)

    def prompt(self, tokens: Sequence[int]) -> Logits:
        """Evaluate a prompt and return the logits after its last token, shape [vocabulary].

        Raises:
            EngineError: llama.cpp failed, or the logits are not finite.
        """
        start = self._reusable(tokens)
        if not self._api.llama_memory_seq_rm(self._memory, 0, start, -1):
            self._api.llama_memory_clear(self._memory, True)  # a recurrent state cannot go back a little
            start = 0
        self._kept = []  # nothing counts as kept until all went well
        self._end = start
        ends = [*range(start + self._piece, len(tokens) - _FEWEST + 1, self._piece), len(tokens)]
        for begin, end in itertools.pairwise([start, *ends]):
            logits = self._append(tokens[begin:end], end == len(tokens))
        self._kept = list(tokens)
        return logits[0]

    def extend(self, tokens: Sequence[int]) -> Logits:
        """Append tokens of the reply and return the logits after the last, shape [vocabulary]."""
        return self._append(tokens, True)[0]

    def branches(self, paths: Sequence[Sequence[int]]) -> list[list[Logits]]:
        """Logits after every token of several possible continuations, none of which is kept.

        Args:
            paths: At most ``MAX_BRANCHES`` continuations, together at most 64 tokens.

        Returns:
            For each path, one array of shape [vocabulary] per token.
        """
        sequences = range(1, len(paths) + 1)
        for sequence in sequences:
            self._api.llama_memory_seq_cp(self._memory, 0, sequence, 0, -1)
        rows = self._decode(
            [
                _Entry(token, self._end + step, sequence, True)
                for sequence, path in zip(sequences, paths, strict=True)
                for step, token in enumerate(path)
            ]
        )
        for sequence in sequences:
            self._api.llama_memory_seq_rm(self._memory, sequence, -1, -1)
        taken = iter(rows)
        return [[next(taken) for _ in path] for path in paths]

    def forget(self) -> None:
        """Start the next prompt cold."""
        self._kept = []

    def close(self) -> None:
        """Free the context and the weights."""
        self._free_context()
        if self._model is not None:
            self._api.llama_model_free(self._model)
            self._model = None

    def _load(self) -> None:
        parameters = self._api.llama_model_default_params()
        parameters.n_gpu_layers = -1 if self.offloads else 0
        self._model = self._api.llama_model_load_from_file(str(self._path).encode(), parameters)
        if not self._model:
            self._model = None
            raise InputError(
                f"{self._path} cannot be loaded ({last_errors()}): download it again or use a smaller model."
            )

    def _comes_out_the_same(self) -> bool:
        """Whether borders change no bit of a few tokens, their piece being long or short."""
        tokens = list(range(_PROOF))
        self._border = _BORDER
        try:
            cold = self.prompt(tokens)
            again = [self.prompt(tokens)]
            self._kept = tokens[:32]
            again.append(self.prompt(tokens))
        except EngineError:
            return False
        finally:
            self._border = self._piece
            self.evaluated = 0
        return all(np.array_equal(logits, cold) for logits in again)

    def _free_context(self) -> None:
        if self._context:
            self._api.llama_batch_free(self._batch)
            self._api.llama_free(self._context)
        self._context, self._room, self._kept = None, 0, []

    def _reusable(self, tokens: Sequence[int]) -> int:
        """Length of the shared beginning down to a border; a whole piece is always evaluated anew."""
        most = max(0, min(len(self._kept), len(tokens) - _FEWEST))
        shared = next((place for place in range(most) if self._kept[place] != tokens[place]), most)
        return shared // self._border * self._border

    def _append(self, tokens: Sequence[int], wanted: bool) -> list[Logits]:
        last = len(tokens) - 1
        entries = [_Entry(token, self._end + step, 0, wanted and step == last) for step, token in enumerate(tokens)]
        self._end += len(tokens)
        return self._decode(entries)

    def _decode(self, entries: Sequence[_Entry]) -> list[Logits]:
        """Evaluate one batch; logits of the entries that want them, in order."""
        batch = self._batch
        batch.n_tokens = len(entries)
        for place, entry in enumerate(entries):
            batch.token[place] = entry.token
            batch.pos[place] = entry.position
            batch.n_seq_id[place] = 1
            batch.seq_id[place][0] = entry.sequence
            batch.logits[place] = entry.wanted
        code = self._api.llama_decode(self._context, batch)
        if code:
            raise EngineError(f"llama_decode returned {code}: {last_errors()}")
        self.evaluated += len(entries)
        return [self._logits(place) for place, entry in enumerate(entries) if entry.wanted]

    def _logits(self, place: int) -> Logits:
        size = self._api.llama_vocab_n_tokens(self._api.llama_model_get_vocab(self._model))
        logits: Logits = np.ctypeslib.as_array(self._api.llama_get_logits_ith(self._context, place), (size,)).copy()
        if not np.isfinite(logits).all():
            raise EngineError("the model computed numbers that are not finite")
        return logits


def usable_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
