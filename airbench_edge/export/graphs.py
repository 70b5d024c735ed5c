"""PyTorch modules to the three ONNX graphs of an audio-LM, named as the ecosystem's layout names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from airbench_edge.export.decoder import PlainDecoder, decoder_samples
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.quiet import quiet

OPSET = 18
GRAPHS = ("audio_encoder", "embed_tokens", "decoder_model_merged")


def trace_graphs(family: ExportFamily, model: torch.nn.Module, folder: Path) -> None:
    """Write ``audio_encoder.onnx``, ``embed_tokens.onnx`` and ``decoder_model_merged.onnx`` in float32.

    The TorchScript exporter is used: for these graphs it is as exact as the newer one and ten to twenty times faster.

    Args:
        family: What the exporter must know of the model.
        model: The model, float32, in evaluation mode.
        folder: Where the graphs go; beyond 2 GB their weights stand beside them.
    """
    token_ids = Sample("input_ids", torch.ones(2, 7, dtype=torch.int64), {0: "batch", 1: "tokens"})
    decoder = PlainDecoder(family.stack(model), family.head(model))
    samples = decoder_samples(decoder)
    past = [sample for sample in samples if sample.name.startswith("past_key_values.")]
    present = {sample.name.replace("past_key_values", "present"): {0: "batch", 2: "total"} for sample in past}
    pairs = [(key.value, value.value) for key, value in zip(past[::2], past[1::2], strict=True)]
    plain = [sample.value for sample in samples if sample.name not in {kept.name for kept in past}]

    encoder_samples = family.encoder_samples(model)
    encoder_arguments = [sample.value for sample in encoder_samples]
    _trace(
        family.encoder(model),
        encoder_arguments,
        encoder_samples,
        {"audio_features": {0: "clips"}},
        folder / "audio_encoder.onnx",
    )
    _trace(
        family.embeddings(model),
        [token_ids.value],
        [token_ids],
        {"inputs_embeds": token_ids.varies},
        folder / "embed_tokens.onnx",
    )
    logits = {"logits": {0: "batch", 1: "kept"}}
    _trace(decoder, [*plain, pairs], samples, logits | present, folder / "decoder_model_merged.onnx")


def _trace(
    module: torch.nn.Module, arguments: list[Any], samples: list[Sample], outputs: dict[str, dict[int, str]], path: Path
) -> None:
    varies = {sample.name: sample.varies for sample in samples if sample.varies} | outputs
    with torch.no_grad(), quiet():
        torch.onnx.export(
            module.eval(),
            tuple(arguments),
            str(path),
            input_names=[sample.name for sample in samples],
            output_names=list(outputs),
            dynamic_axes=varies,
            opset_version=OPSET,
            dynamo=False,
        )
