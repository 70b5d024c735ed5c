"""An audio-LM from what the user typed after ``--model``."""

from __future__ import annotations

from collections.abc import Mapping

from airbench_edge.audiolm.contract import AudioLM
from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.items import Track
from airbench_edge.builtin import resolve
from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path


def open_audiolm(
    spec: str,
    device: str = "auto",
    dtype: str | None = None,
    max_new_tokens: Mapping[Track, int] | None = None,
    system: str | None = None,
) -> AudioLM:
    """Open ``recorded:FILE``, ``recorded:FOUNDATION_FILE,CHAT_FILE``, a folder, ``onnx:FOLDER`` or ``cascade:FOLDER``.

    Args:
        spec: What to open.
        device: Where graphs run: ``auto``, ``cpu``, ``cuda`` or ``tensorrt``.
        dtype: Number type of the graphs; None takes the most faithful there is.
        max_new_tokens: Caps on an answer that differ from the usual ones, by track.
        system: System message for models that take one; None leaves it to their chat template.

    Raises:
        InputError: The spec is of no known kind, or what it names cannot be used.
    """
    kind, _, target = spec.partition(":")
    if kind == "recorded" and target:
        return RecordedAudioLM(target)
    if kind == "cascade" and target:
        if dtype is not None:
            raise InputError("A cascade runs the graphs that its cascade.toml names: leave --dtype out.")
        from airbench_edge.audiolm.cascade.model import CascadeAudioLM
        from airbench_edge.audiolm.onnx.model import MAX_NEW_TOKENS

        return CascadeAudioLM(given_path(target), device, {**MAX_NEW_TOKENS, **(max_new_tokens or {})})
    folder = resolve(target if kind == "onnx" and target else spec)
    if kind == "onnx" or folder.is_dir():
        # Loaded only where it is needed: onnxruntime takes its time.
        from airbench_edge.audiolm.onnx.model import MAX_NEW_TOKENS, OnnxAudioLM

        return OnnxAudioLM(folder, device, dtype, {**MAX_NEW_TOKENS, **(max_new_tokens or {})}, system)
    raise InputError(
        f"--model {spec} is no model folder and of no known kind: "
        "give a folder, onnx:FOLDER, cascade:FOLDER or recorded:FILE."
    )
