"""The proof that an export says what its checkpoint says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from airbench_edge.audiolm.contract import Prompted, Waveform
from airbench_edge.audiolm.onnx.dtypes import GRAPHS, SUFFIXES, graph_file
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import model_type
from airbench_edge.export.encoder_proof import prove_encoder
from airbench_edge.export.families import family_of
from airbench_edge.export.families.contract import ExportFamily, load_family
from airbench_edge.export.parity import FolderParity, Parity, TypeParity
from airbench_edge.export.quiet import quiet

QUESTION = "What do you hear? Answer in one sentence."

Clips = Mapping[str, Callable[[int], Waveform]]
"""Name of a clip to what makes its mono waveform at a rate in Hz."""


def verify(
    checkpoint: Path, folder: Path, clips: Mapping[str, Waveform], dtype: str | None = None, new_tokens: int = 32
) -> Iterator[Parity]:
    """Compare greedy answers; the PyTorch side uses transformers' own processor, so that ours is proved too.

    Args:
        checkpoint: The PyTorch checkpoint.
        folder: Its export.
        clips: Name to mono waveform at the model's rate.
        dtype: Number type of the graphs.
        new_tokens: Most tokens of an answer.

    Yields:
        A result for each clip.

    Raises:
        InputError: Checkpoint or export cannot be opened.
    """
    exported = OnnxAudioLM(folder, "cpu", dtype, float16_on_cpu=True)
    reference = _PyTorch(checkpoint, new_tokens)
    for name, waveform in clips.items():
        yield _compare(exported, name, waveform, reference.answer(waveform, exported.sample_rate))


def verify_folder(
    checkpoint: Path,
    folder: Path,
    clips: Clips,
    dtype: str | None = None,
    advanced: Callable[[str, int, int], None] = lambda *_: None,
    new_tokens: int = 32,
) -> FolderParity:
    """Compare every number type of an export; PyTorch and the graphs are in memory one after the other.

    Args:
        checkpoint: The PyTorch checkpoint.
        folder: Its export.
        clips: At least one clip.
        dtype: Number type of the graphs as ``run --dtype`` takes it; None for each that the decoder is there in.
        advanced: Told what is done, and how many of how many clips.
        new_tokens: Most tokens of an answer.

    Raises:
        InputError: Checkpoint or export cannot be opened, or the encoder does not say what PyTorch says.
    """
    wanted = [dtype] if dtype else _types(folder)
    rate = OnnxAudioLM(folder, "cpu", wanted[0], float16_on_cpu=True).sample_rate
    waveforms = {name: clip(rate) for name, clip in clips.items()}
    with tempfile.TemporaryDirectory(prefix="airbench-verify-") as temporary:
        reference = _PyTorch(checkpoint, new_tokens)
        said = []
        for place, waveform in enumerate(waveforms.values()):
            advanced("PyTorch", place, len(waveforms))
            said.append(reference.answer(waveform, rate).moved(Path(temporary) / f"{place}.npy"))
        reference.prove_encoder(graph_file(folder / "onnx", "audio_encoder", "fp32"))
        del reference
        types = []
        for one in wanted:
            exported = OnnxAudioLM(folder, "cpu", one, float16_on_cpu=True)
            parities = []
            for place, ((name, waveform), spoken) in enumerate(zip(waveforms.items(), said, strict=True)):
                advanced(f"ONNX {exported.dtypes['decoder_model_merged']}", place, len(waveforms))
                parities.append(_compare(exported, name, waveform, spoken))
            types.append(TypeParity.of(exported.dtypes, parities))
    return FolderParity(str(checkpoint), str(folder), QUESTION, types)


class _Spoken(NamedTuple):
    """Greedy tokens of the checkpoint and the logits before each, [tokens, vocabulary]."""

    tokens: list[int]
    logits: npt.NDArray[np.float32]

    def moved(self, file: Path) -> _Spoken:
        """The same with its logits in a file instead of in memory."""
        np.save(file, self.logits)
        return _Spoken(self.tokens, np.load(file, mmap_mode="r"))


class _PyTorch:
    """The checkpoint, computing in float32."""

    def __init__(self, checkpoint: Path, new_tokens: int) -> None:
        self._checkpoint = checkpoint
        self._family: ExportFamily = family_of(model_type(checkpoint))
        self._model = load_family(self._family, checkpoint).float()
        self._new_tokens = new_tokens

    def prove_encoder(self, graph: Path) -> None:
        """Compare the encoder by itself, if there is a graph of it in float32 and an optimum to do it."""
        if graph.exists():
            encoder = self._family.encoder(self._model)
            prove_encoder(self._family.model_type, encoder, self._family.encoder_samples(self._model), graph)

    def answer(self, waveform: Waveform, rate: int) -> _Spoken:
        """What it says about a clip, greedily."""
        with torch.no_grad(), quiet():
            inputs: dict[str, Any] = self._family.reference_inputs(self._checkpoint, QUESTION, waveform, rate)
            output = self._model.generate(
                **inputs,
                max_new_tokens=self._new_tokens,
                do_sample=False,
                output_logits=True,
                return_dict_in_generate=True,
            )
        tokens = output.sequences[0, -len(output.logits) :].tolist()
        return _Spoken(tokens, torch.cat(output.logits).float().numpy())


def _compare(exported: OnnxAudioLM, name: str, waveform: Waveform, spoken: _Spoken) -> Parity:
    tokens, wanted = spoken
    followed = exported.follow(Prompted(ItemKey(Track.CHAT, name), QUESTION, name, waveform), tokens)
    apart = [place for place, (ours, theirs) in enumerate(zip(followed.choices, tokens, strict=True)) if ours != theirs]
    compared = (apart[0] if apart else len(tokens) - 1) + 1
    difference = np.abs(followed.logits[:compared] - wanted[:compared]).max()
    spread = wanted.max() - wanted.min()
    return Parity(name, len(tokens), apart[0] if apart else None, float(difference), float(spread))


def _types(folder: Path) -> list[str]:
    """Each number type of the decoder, with every other graph in the same type where it is there in it."""
    files = folder / "onnx"
    there = [dtype for dtype in SUFFIXES if graph_file(files, "decoder_model_merged", dtype).exists()]
    if not there:
        raise InputError(f"{files / 'decoder_model_merged.onnx'} is missing: {folder} is no export.")
    return [
        ",".join(f"{graph}={dtype}" for graph in GRAPHS if graph_file(files, graph, dtype).exists()) for dtype in there
    ]
