"""The decoder with attention spelt out: what every runtime can run, and every architecture can be brought into."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import DynamicCache

from airbench_edge.export.decoder import BATCH, NEW, PAST, Past, run_stack
from airbench_edge.export.families.contract import Sample

KEPT = "num_logits_to_keep"


class PlainDecoder(torch.nn.Module):  # type: ignore[misc]
    """One graph for the prompt (past of length 0) and for each further token; batches are padded on the left.

    The causal mask is computed here rather than by transformers, whose mask functions change with the version and bake
    lengths into a trace.

    Args:
        stack: From embeddings to the last hidden state, of any version of transformers.
        head: From there to logits.
        embedded: Names of what stands for the tokens: ``inputs_embeds``, and in some families more.
    """

    def __init__(self, stack: torch.nn.Module, head: torch.nn.Module, embedded: Sequence[str]) -> None:
        super().__init__()
        self.stack = stack
        self.head = head
        self.embedded = list(embedded)

    def forward(
        self,
        embedded: list[torch.Tensor],
        attention_mask: torch.Tensor,
        position_ids: torch.Tensor,
        num_logits_to_keep: torch.Tensor,
        past: Past,
    ) -> tuple[torch.Tensor, Past]:
        """Run one step.

        Args:
            embedded: What stands for the new tokens, [batch, new, ...] each.
            attention_mask: 1 for real positions, 0 for padding, [batch, past + new] int64.
            position_ids: Positions for the rotary embedding, [batch, new] int64.
            num_logits_to_keep: How many of the last positions reach the vocabulary; 0 means all. Scalar int64.
            past: Keys and values so far.

        Returns:
            Logits [batch, kept, vocabulary] and the grown keys and values.
        """
        cache = DynamicCache([(key, value) for key, value in past])
        output = run_stack(
            self.stack,
            dict(zip(self.embedded, embedded, strict=True)),
            attention_mask=self._masks(attention_mask, embedded[0]),
            position_ids=position_ids,
            past_key_values=cache,
        )
        hidden = output.last_hidden_state[:, -num_logits_to_keep:]
        return self.head(hidden), [(layer.keys, layer.values) for layer in cache.layers]

    def _masks(self, attention_mask: torch.Tensor, embeds: torch.Tensor) -> torch.Tensor | dict[str, torch.Tensor]:
        """The mask of all layers, or one for each kind of layer where some see a window only."""
        config = self.stack.config
        window = getattr(config, "sliding_window", None)
        if window is None or window >= config.max_position_embeddings:
            return _causal_mask(attention_mask, embeds, None)
        kinds = set(getattr(config, "layer_types", None) or ())
        if not kinds:
            return _causal_mask(attention_mask, embeds, window)
        masks = {"full_attention": None, "sliding_attention": window}
        return {kind: _causal_mask(attention_mask, embeds, masks[kind]) for kind in kinds}


def _causal_mask(attention_mask: torch.Tensor, embeds: torch.Tensor, window: int | None) -> torch.Tensor:
    """Additive mask [batch, 1, new, past + new]: a position sees itself and what came before, but no padding."""
    new, total = embeds.shape[1], attention_mask.shape[1]
    row = torch.arange(new, device=attention_mask.device)[:, None] + (total - new)
    column = torch.arange(total, device=attention_mask.device)[None, :]
    seen = column <= row
    if window is not None:
        seen = seen & (column > row - window)
    seen = seen[None, None] & (attention_mask[:, None, None, :] > 0)
    return (~seen).to(embeds.dtype) * torch.finfo(embeds.dtype).min


def plain_samples() -> list[Sample]:
    """Example inputs between embeddings and past."""
    return [
        Sample("attention_mask", torch.ones(BATCH, PAST + NEW, dtype=torch.int64), {0: "batch", 1: "total"}),
        Sample("position_ids", torch.arange(PAST, PAST + NEW).expand(BATCH, -1).contiguous(), {0: "batch", 1: "new"}),
        Sample(KEPT, torch.tensor(1), {}),
    ]
