"""``export``: a PyTorch checkpoint to a folder that ``run --model`` takes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.errors import InputError


def export(
    checkpoint: Annotated[Path, typer.Argument(help="Folder with config.json, tokenizer and safetensors.")],
    out: Annotated[Path, typer.Argument(help="Folder to make.")],
    dtype: Annotated[str, typer.Option(help="fp32, fp16, int8 or int4.")] = "fp32",
    compact: Annotated[
        bool, typer.Option("--compact", help="Store weights that fp16 holds exactly as fp16; they compute as fp32.")
    ] = False,
) -> None:
    """Export an audio-LM to ONNX; needs the extra named export, with PyTorch and transformers.

    For example: airbench-edge export Qwen2-Audio-7B-Instruct models/qwen2-audio --dtype fp16
    """
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        raise InputError('Exporting needs PyTorch and transformers: pip install "airbench-edge[export]".')
    # The only room that imports torch; everything else must start without it.
    from airbench_edge.export.folder import export_checkpoint

    export_checkpoint(checkpoint, out, dtype, compact=compact)
    print(f"Exported to {out}: airbench-edge run --model {out} ...")
