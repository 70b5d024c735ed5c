"""Proof of a decoder graph: what it says to made-up prompts, alone and in a padded batch, is what PyTorch says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime
import torch
from transformers import DynamicCache

from airbench_edge.export.decoder import Shape, run_stack
from airbench_edge.export.decoder_gqa import INDICES
from airbench_edge.export.parity import BOUND
from airbench_edge.export.quiet import quiet

Array = npt.NDArray[Any]
Embedded = dict[str, torch.Tensor]

PROMPTS = (23, 17, 9, 5)
STEPS = 4


class Reference(NamedTuple):
    """What PyTorch says.

    Attributes:
        embedded: For each prompt and the steps after it, what stands for the tokens, [tokens, ...] each.
        logits: For each prompt, logits from its last position on, [1 + steps, vocabulary].
    """

    embedded: list[dict[str, Array]]
    logits: list[Array]


class Distance(NamedTuple):
    """How far a graph is from PyTorch.

    Attributes:
        difference: Largest difference of two logits.
        spread: Largest logit less smallest one.
    """

    difference: float
    spread: float

    @property
    def holds(self) -> bool:
        """Whether the graph says the same."""
        return self.difference <= BOUND * self.spread


def reference(embed: Callable[[torch.Tensor], Embedded], stack: torch.nn.Module, head: torch.nn.Module) -> Reference:
    """Let PyTorch go over made-up prompts, each in one pass, in float32 whatever the weights are stored in."""
    random = torch.Generator().manual_seed(0)
    rows, logits = [], []
    with torch.no_grad(), quiet(), widened(stack), widened(head):
        for prompt in PROMPTS:
            ids = torch.randint(stack.config.vocab_size, (1, prompt + STEPS), generator=random)
            embedded = {name: value.float() for name, value in embed(ids).items()}
            positions = torch.arange(prompt + STEPS)[None]
            # Without a cache, Gemma 3n in transformers 4 forgets that its last layers share keys and values.
            output = run_stack(
                stack, embedded, attention_mask=None, position_ids=positions, past_key_values=DynamicCache()
            )
            logits.append(head(output.last_hidden_state[:, prompt - 1 :])[0].numpy())
            rows.append({name: value[0].numpy() for name, value in embedded.items()})
    return Reference(rows, logits)


def check(graph: Path, shape: Shape, wanted: Reference) -> Distance:
    """Let the graph go over the same prompts: the first alone, then all in one batch, padded as the graph needs it.

    The graph runs as it stands, without the rewriting of an optimiser, so that its weights stay mapped from the file.
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    for name, value in (("session.disable_prepacking", "1"), ("session.intra_op.allow_spinning", "0")):
        options.add_session_config_entry(name, value)
    session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    differences = [
        np.abs(np.stack([*say(session, shape, wanted.embedded[:rows])], 1) - np.stack(wanted.logits[:rows])).max()
        for rows in (1, len(PROMPTS))
    ]
    spread = max(float(logits.max() - logits.min()) for logits in wanted.logits)
    return Distance(float(max(differences)), spread)


def say(session: onnxruntime.InferenceSession, shape: Shape, rows: list[dict[str, Array]]) -> Iterator[Array]:
    """Logits after the prompts and after each step, [rows, vocabulary] each.

    Args:
        session: The decoder graph.
        shape: Its lengths.
        rows: A batch, each row a prompt and ``STEPS`` tokens that follow it, [tokens, ...].
    """
    known = {taken.name for taken in session.get_inputs()}
    outputs = [made.name for made in session.get_outputs()]
    right = INDICES in known
    lengths = np.array([len(row["inputs_embeds"]) - STEPS for row in rows])
    empty = np.zeros((len(rows), shape.kv_heads, 0, shape.head_size), np.float32)
    past = {name: empty for name in known if name.startswith("past_key_values.")}
    begin = np.zeros_like(lengths)
    for _ in range(STEPS + 1):
        new = int((lengths - begin).max())
        at = np.arange(int(lengths.max()))[None]
        mask = at < lengths[:, None] if right else at >= (lengths.max() - lengths)[:, None]
        values: dict[str, Array] = {
            **_padded(rows, begin, lengths, right),
            "attention_mask": mask.astype(np.int64),
            "position_ids": np.maximum(mask.cumsum(1) - 1, 0)[:, -new:],
            "num_logits_to_keep": np.array(1),
            INDICES: (lengths - begin - 1)[:, None],
            **past,
        }
        made = session.run(outputs, {name: values[name] for name in known})
        yield made[outputs.index("logits")][:, -1]
        past = {name: made[outputs.index(name.replace("past_key_values", "present"))] for name in past}
        begin, lengths = lengths, lengths + 1


def _padded(rows: list[dict[str, Array]], begin: Array, end: Array, right: bool) -> dict[str, Array]:
    """Positions ``begin`` to ``end`` of each row, as long as the longest of them."""
    longest = int((end - begin).max())
    padded = {name: np.zeros((len(rows), longest, *value.shape[1:]), np.float32) for name, value in rows[0].items()}
    for row, (first, last) in enumerate(zip(begin, end, strict=True)):
        here = slice(0, last - first) if right else slice(longest - (last - first), longest)
        for name, value in rows[row].items():
            padded[name][row, here] = value[first:last]
    return padded


@contextmanager
def widened(module: torch.nn.Module) -> Iterator[None]:
    """Compute in float32 with weights of 16 bits: each layer widens its own for as long as it works."""
    hooks = []
    for part in module.modules():
        kept = {
            name: weight
            for name, weight in part._parameters.items()
            if weight is not None and weight.is_floating_point() and weight.dtype != torch.float32
        }
        if kept:
            hooks.append(part.register_forward_pre_hook(lambda part, _, kept=kept: _widen(part, kept)))
            hooks.append(part.register_forward_hook(lambda part, *_, kept=kept: part._parameters.update(kept)))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _widen(part: torch.nn.Module, kept: dict[str, torch.nn.Parameter]) -> None:
    part._parameters.update(
        {name: torch.nn.Parameter(weight.float(), requires_grad=False) for name, weight in kept.items()}
    )
