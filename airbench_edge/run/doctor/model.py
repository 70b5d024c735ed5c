"""Whether the audio-LM is all there, and how much memory it takes; no graph is opened."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from airbench_edge.audiolm.cascade.config import read_config
from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.audiolm.whisper.folder import WhisperFolder
from airbench_edge.builtin import resolve
from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.run.doctor.finding import Finding, Level, problem
from airbench_edge.run.doctor.memory import gib, graphs_memory, llama_memory, onnx_memory, size_of

_TOPIC = "Audio-LM"


class Checked(NamedTuple):
    """A model or a judge that was looked at.

    Attributes:
        finding: What there is.
        memory: Bytes that it takes in main memory.
        gpu_memory: Bytes that it takes on the GPU.
    """

    finding: Finding
    memory: int = 0
    gpu_memory: int = 0


def uses_llama(spec: str) -> bool:
    """Whether the model needs llama.cpp."""
    return spec.startswith("cascade:")


def check_model(spec: str, dtype: str | None, on_gpu: bool) -> Checked:
    """Look at what ``--model`` names.

    Args:
        spec: As typed.
        dtype: As typed.
        on_gpu: Whether its graphs would run on the GPU.
    """
    kind, _, target = spec.partition(":")
    try:
        if kind == "recorded" and target:
            return Checked(Finding(_TOPIC, Level.OK, f"{len(RecordedAudioLM(target).keys):,} recorded responses"))
        if kind == "cascade" and target:
            return _cascade(given_path(target))
        return _onnx(ModelFolder(resolve(target if kind == "onnx" and target else spec), dtype), on_gpu)
    except InputError as error:
        return Checked(problem(_TOPIC, error))


def _onnx(folder: ModelFolder, on_gpu: bool) -> Checked:
    config = folder.read("config.json", Config)
    assert config is not None  # ModelFolder has seen the file
    family_of(folder, config)
    folder.tokenizer()
    types = ", ".join(f"{graph} {dtype}" for graph, dtype in folder.dtypes.items())
    found = Finding(_TOPIC, Level.OK, f"{folder.path}: {config.model_type}, {types}, {gib(size_of(folder.files()))}")
    need = onnx_memory(folder, on_gpu)
    return Checked(found, gpu_memory=need) if on_gpu else Checked(found, need)


def _cascade(path: Path) -> Checked:
    config = read_config(path)
    whisper = WhisperFolder(path / config.whisper.folder)
    llm = open_model_file(path / config.llm.file)
    graphs = list(whisper.files())
    if config.tagger:
        for file in (path / config.tagger.graph, path / config.tagger.classes):
            if not file.is_file():
                raise InputError(f"{file} is missing: put the tagger there, or take it out of cascade.toml.")
            graphs.append(file)
    parts = f"{config.whisper.folder}, {llm.stem}, {'a tagger' if config.tagger else 'no tagger'}"
    found = Finding(_TOPIC, Level.OK, f"cascade {config.name}: {parts}, {gib(size_of([*graphs, *llm.parts]))}")
    return Checked(found, graphs_memory(graphs) + llama_memory(llm))
