"""``export``: a PyTorch checkpoint to a folder that ``run --model`` takes, and the proof that it says the same."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from airbench_edge.cli.default_command import DefaultCommand
from airbench_edge.cli.interrupts import interruptible
from airbench_edge.errors import InputError
from airbench_edge.report.as_json import as_json
from airbench_edge.report.steps import steps
from airbench_edge.report.terminal.parity import print_parity

Checkpoint = Annotated[Path, typer.Argument(help="Folder with config.json, tokenizer and safetensors.")]


class _ExportCommand(DefaultCommand):
    """``export CHECKPOINT OUT`` means ``export write CHECKPOINT OUT``."""

    default: ClassVar[str] = "write"


app = typer.Typer(
    cls=_ExportCommand,
    help="Export an audio-LM to ONNX, and prove the export. `export CHECKPOINT OUT` is short for `export write`.",
    no_args_is_help=True,
)


@app.command()
def write(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Argument(help="Folder to make.")],
    dtype: Annotated[str, typer.Option(help="fp32, fp16 (for GPUs), int8 or int4 (the small one).")] = "fp32",
    compact: Annotated[
        bool, typer.Option("--compact", help="Store weights that fp16 holds exactly as fp16; they compute as fp32.")
    ] = False,
    attention: Annotated[
        str, typer.Option(help="gqa: one fused operator; plain: spelt out; auto: gqa where it is proved.")
    ] = "auto",
) -> None:
    """Export an audio-LM to ONNX; needs the extra named export, with PyTorch and transformers.

    For example: airbench-edge export Qwen2-Audio-7B-Instruct models/qwen2-audio --dtype int4
    """
    _need_pytorch()
    from airbench_edge.export.folder import export_checkpoint

    with interruptible(), steps(sys.stderr) as advanced:
        manifest = export_checkpoint(checkpoint, out, dtype, compact=compact, attention=attention, progress=advanced)
    if manifest.decoder.why_plain:
        print(f"Without GroupQueryAttention, as {manifest.decoder.why_plain}.")
    print(f"Exported to {out}: airbench-edge run --model {out} ...")


@app.command()
def verify(
    checkpoint: Checkpoint,
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="Its export.")],
    audio: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Sound files to ask about; made-up sounds of 0.5 to 35 s if left out."),
    ] = None,
    dtype: Annotated[
        str | None, typer.Option(help="As of run; every type that the decoder is there in if left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Compare the greedy answers of a checkpoint in PyTorch and of its export, token by token and logit by logit.

    Everything computes on the CPU. Exit code 1: the export differs in fp32.

    For example: airbench-edge export verify Qwen2-Audio-7B-Instruct models/qwen2-audio --audio clips
    """
    _need_pytorch()
    from airbench_edge.export.verify import verify_folder
    from airbench_edge.export.verify_clips import built_in, from_folder

    clips = built_in() if audio is None else from_folder(audio)
    with interruptible(), steps(sys.stderr) as advanced:
        result = verify_folder(checkpoint, folder, clips, dtype, advanced)
    if json:
        sys.stdout.write(as_json(result))
    else:
        print_parity(result, sys.stdout)
    if not all(one.holds for one in result.types):
        raise typer.Exit(1)


def _need_pytorch() -> None:
    """The export room alone imports PyTorch; everything else must start without it."""
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        raise InputError('Exporting needs PyTorch and transformers: pip install "airbench-edge[export]".')
