"""The decoder with attention as one operator, GroupQueryAttention of onnxruntime, straight from the exporter.

The operator joins past and new keys and values, rotates, masks and attends. transformers finds its attention by name,
and the rest of each layer (projections, their packing and biases, norms of heads) is the model's own code, so that
nothing here is particular to an architecture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import torch
from transformers import DynamicCache
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from airbench_edge.export.decoder import BATCH, NEW, PAST, Past, run_stack
from airbench_edge.export.decoder_norm import fused_norms
from airbench_edge.export.decoder_rotary import rotary_of, unrotated
from airbench_edge.export.families.contract import Sample

INDICES = "logits_indices"
_NAME = "airbench_gqa"


class _Operator(torch.autograd.Function):  # type: ignore[misc]
    """The operator in a trace; only its shapes matter while tracing.

    Its inputs and attributes are documented with onnxruntime, ContribOperators.md, com.microsoft.GroupQueryAttention.
    """

    @staticmethod
    def forward(_: Any, *arguments: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # noqa: ANN401
        query, _key, _value, past_key = arguments[:4]
        batch, heads, past, size = past_key.shape
        grown = past_key.new_zeros(batch, heads, past + query.shape[1], size)
        return torch.zeros_like(query), grown, grown.clone()

    @staticmethod
    def symbolic(graph: Any, *arguments: Any) -> Any:  # noqa: ANN401
        """The operator, written into the graph; its outputs get the types that the exporter cannot infer."""
        *tensors, attributes = arguments
        outputs = graph.op("com.microsoft::GroupQueryAttention", *tensors, outputs=3, **attributes)
        outputs[0].setType(tensors[0].type())
        for grown in outputs[1:]:
            grown.setType(tensors[3].type())
        return outputs


class _NewOnly(DynamicCache):  # type: ignore[misc]
    """A cache that hands back the new keys and values alone: the operator joins them to the past."""

    def update(self, key: torch.Tensor, value: torch.Tensor, *_: Any, **__: Any) -> tuple[torch.Tensor, torch.Tensor]:  # noqa: ANN401
        return key, value

    def get_seq_length(self, *_: Any, **__: Any) -> int:  # noqa: ANN401
        return 0


class _Step(NamedTuple):
    """What the operators of one traced step share."""

    past: Past
    grown: list[tuple[torch.Tensor, torch.Tensor] | None]
    lengths: torch.Tensor
    total: torch.Tensor


class GqaDecoder(torch.nn.Module):  # type: ignore[misc]
    """One graph for the prompt (past of length 0) and for each further token; batches are padded on the right.

    It takes no positions, since the operator counts them from the mask. Traced inside ``fused``.

    Args:
        stack: From embeddings to the last hidden state, of any version of transformers.
        head: From there to logits.
        embedded: Names of what stands for the tokens: ``inputs_embeds``, and in some families more.

    Raises:
        NotFusedError: The operator cannot do what this decoder does.
    """

    def __init__(self, stack: torch.nn.Module, head: torch.nn.Module, embedded: Sequence[str]) -> None:
        super().__init__()
        self.stack = stack
        self.head = head
        self.embedded = list(embedded)
        rotary = rotary_of(stack)
        self.register_buffer("cos", rotary.cos)
        self.register_buffer("sin", rotary.sin)
        self._interleaved = rotary.interleaved
        self._step: _Step | None = None

    @property
    def positions(self) -> int:
        """Longest sequence that the tables allow."""
        return int(self.cos.shape[0])

    def forward(
        self, embedded: list[torch.Tensor], attention_mask: torch.Tensor, logits_indices: torch.Tensor, past: Past
    ) -> tuple[torch.Tensor, list[tuple[torch.Tensor, torch.Tensor] | None]]:
        """Run one step.

        Args:
            embedded: What stands for the new tokens, [batch, new, ...] each.
            attention_mask: 1 for real positions, 0 for the padding after them, [batch, past + new] int64.
            logits_indices: New positions that reach the vocabulary, counted from the first, [batch, kept] int64.
            past: Keys and values so far.

        Returns:
            Logits [batch, kept, vocabulary] and the grown keys and values.
        """
        lengths = (attention_mask.sum(1) - 1).to(torch.int32)
        total = torch.ops.aten._shape_as_tensor(attention_mask)[1].to(torch.int32)
        self._step = step = _Step(past, [None] * len(past), lengths, total)
        output = run_stack(
            self.stack,
            dict(zip(self.embedded, embedded, strict=True)),
            attention_mask=None,
            position_ids=torch.arange(embedded[0].shape[1])[None],
            past_key_values=_NewOnly(),
        )
        hidden = output.last_hidden_state
        kept = torch.gather(hidden, 1, logits_indices[:, :, None].expand(-1, -1, hidden.shape[-1]))
        return self.head(kept), step.grown

    @contextmanager
    def fused(self) -> Iterator[None]:
        """Put operators in the place of attention, rotation and norms, for as long as the block runs."""
        configs = {id(module.config): module.config for module in self.stack.modules() if hasattr(module, "config")}
        before = [(config, config._attn_implementation) for config in configs.values()]
        with ExitStack() as undo:
            undo.enter_context(unrotated(self.stack))
            undo.enter_context(fused_norms(self.stack))
            ALL_ATTENTION_FUNCTIONS[_NAME] = self._attend
            undo.callback(ALL_ATTENTION_FUNCTIONS.__delitem__, _NAME)
            for config, name in before:
                config._attn_implementation = _NAME
                undo.callback(setattr, config, "_attn_implementation", name)
            yield

    def _attend(
        self,
        module: torch.nn.Module,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        _mask: torch.Tensor | None = None,
        scaling: float | None = None,
        sliding_window: int | None = None,
        softcap: float | None = None,
        **_: Any,  # noqa: ANN401
    ) -> tuple[torch.Tensor, None]:
        """Attention as transformers calls it: query, key and value are [batch, heads, new, head size]."""
        step = self._step
        assert step is not None
        batch, heads, kv_heads, size = query.shape[0], int(query.shape[1]), int(key.shape[1]), int(query.shape[3])
        attributes = {
            "num_heads_i": heads,
            "kv_num_heads_i": kv_heads,
            "scale_f": float(size**-0.5 if scaling is None else scaling),
            "do_rotary_i": 1,
            "rotary_interleaved_i": int(self._interleaved),
        }
        if sliding_window and sliding_window < self.positions:
            attributes["local_window_size_i"] = int(sliding_window)
        if softcap:
            attributes["softcap_f"] = float(softcap)
        rows = [part.transpose(1, 2).reshape(batch, -1, part.shape[1] * size) for part in (query, key, value)]
        attended, *grown = _Operator.apply(
            *rows, *step.past[module.layer_idx], step.lengths, step.total, self.cos, self.sin, attributes
        )
        step.grown[module.layer_idx] = (grown[0], grown[1])
        return attended.view(batch, -1, heads, size), None


def gqa_samples() -> list[Sample]:
    """Example inputs between embeddings and past."""
    return [
        Sample("attention_mask", torch.ones(BATCH, PAST + NEW, dtype=torch.int64), {0: "batch", 1: "total"}),
        Sample(INDICES, torch.full((BATCH, 2), NEW - 1), {0: "batch", 1: "kept"}),
    ]
