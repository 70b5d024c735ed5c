"""A model taken apart: the modules that become graphs, traced one by one."""

from __future__ import annotations

from typing import NamedTuple

import onnx
import torch

from airbench_edge.errors import InputError
from airbench_edge.export.decoder import NEW, Shape, embedded_samples, past_samples
from airbench_edge.export.decoder_gqa import GqaDecoder, gqa_samples
from airbench_edge.export.decoder_parity import Reference, reference
from airbench_edge.export.decoder_plain import PlainDecoder, plain_samples
from airbench_edge.export.decoder_rotary import NotFusedError
from airbench_edge.export.encoder_proof import ENCODER_OUTPUTS
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.graphs import Traced, trace, weightless


class DecoderGraph(NamedTuple):
    """The decoder, traced.

    Attributes:
        traced: The graph.
        attention: ``gqa`` or ``plain``.
        why_plain: Why it is not ``gqa`` where that was wanted; empty otherwise.
        positions: Longest sequence that it takes.
    """

    traced: Traced
    attention: str
    why_plain: str
    positions: int


class Parts:
    """A loaded model, seen as encoder, embeddings and decoder.

    Args:
        family: What the exporter must know of it.
        model: The model.
    """

    def __init__(self, family: ExportFamily, model: torch.nn.Module) -> None:
        self._encoder = family.encoder(model)
        self._encoder_samples = family.encoder_samples(model)
        self._embeddings = family.embeddings(model)
        self._stack = family.stack(model)
        self._head = family.head(model)
        self.shape = Shape.of(self._stack)

    def embed(self, ids: torch.Tensor) -> dict[str, torch.Tensor]:
        """What stands for tokens in the decoder."""
        embedded = self._embeddings(ids)
        return embedded if isinstance(embedded, dict) else {"inputs_embeds": embedded}

    def reference(self) -> Reference:
        """What PyTorch says to made-up prompts, see ``decoder_parity``."""
        return reference(self.embed, self._stack, self._head)

    def encoder(self) -> Traced:
        """Graph ``audio_encoder``."""
        with weightless(self._encoder):
            model = trace(
                self._encoder,
                [sample.value for sample in self._encoder_samples],
                self._encoder_samples,
                ENCODER_OUTPUTS,
            )
        return Traced(model, self._encoder.state_dict())

    def embeddings(self) -> Traced:
        """Graph ``embed_tokens``."""
        ids = Sample("input_ids", torch.ones(2, 7, dtype=torch.int64), {0: "batch", 1: "tokens"})
        with torch.no_grad(), weightless(self._embeddings):
            outputs = dict.fromkeys(self.embed(ids.value), ids.varies)
            model = trace(self._embeddings, [ids.value], [ids], outputs)
        return Traced(model, self._embeddings.state_dict())

    def decoder(self, attention: str) -> DecoderGraph:
        """Graph ``decoder_model_merged``.

        Args:
            attention: ``gqa``, ``plain``, or ``auto`` for the first that can be traced.

        Raises:
            InputError: It must be ``gqa`` and cannot.
        """
        with torch.no_grad(), weightless(self._embeddings):
            embedded = self.embed(torch.ones(2, NEW, dtype=torch.int64))
        why_plain = ""
        if attention != "plain":
            try:
                decoder = GqaDecoder(self._stack, self._head, list(embedded))
                with weightless(decoder), decoder.fused():
                    model = self._trace(decoder, embedded, gqa_samples())
                return DecoderGraph(Traced(model, decoder.state_dict()), "gqa", "", decoder.positions)
            except Exception as error:  # an unknown architecture may fail anywhere in the tracer
                why_plain = " ".join(str(error).split())[:300] or type(error).__name__
                if attention == "gqa":
                    raise no_gqa(why_plain) from error
                if not isinstance(error, NotFusedError):
                    why_plain = f"the exporter failed: {why_plain}"
        plain = PlainDecoder(self._stack, self._head, list(embedded))
        with weightless(plain):
            model = self._trace(plain, embedded, plain_samples())
        return DecoderGraph(Traced(model, plain.state_dict()), "plain", why_plain, self.shape.positions)

    def _trace(
        self, decoder: GqaDecoder | PlainDecoder, embedded: dict[str, torch.Tensor], between: list[Sample]
    ) -> onnx.ModelProto:
        past = past_samples(self.shape)
        pairs = [(key.value, value.value) for key, value in zip(past[::2], past[1::2], strict=True)]
        present = [sample.name.replace("past_key_values", "present") for sample in past]
        outputs = {"logits": {0: "batch", 1: "kept"}} | {name: {0: "batch", 2: "total"} for name in present}
        return trace(
            decoder,
            [list(embedded.values()), *(sample.value for sample in between), pairs],
            [*embedded_samples(embedded), *between, *past],
            outputs,
            {name: {1: self.shape.kv_heads, 3: self.shape.head_size} for name in present},
        )


def no_gqa(reason: str) -> InputError:
    """The refusal of an export that must have fused attention."""
    return InputError(
        f"The decoder cannot be exported with GroupQueryAttention: {reason}; "
        "with --attention auto it is exported without."
    )
