"""The audio encoder graph: what a family makes of a clip in, features for the prompt out."""

from __future__ import annotations

import numpy as np

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.audiolm.onnx.decoder import Floats
from airbench_edge.audiolm.onnx.decoding import OVERFLOW
from airbench_edge.audiolm.onnx.families.contract import FEATURES, Sound
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError


class Encoder:
    """Graph ``audio_encoder`` of an audio-LM.

    Its features are the output ``audio_features``, or the first one where none has that name.

    Args:
        graph: The graph; its axes and the family's inputs have been checked.
        embed: Graph ``embed_tokens``, whose embeddings the features join.

    Raises:
        InputError: It makes features of another width, or takes a fixed number of windows greater than 1.
    """

    def __init__(self, graph: Graph, embed: Graph) -> None:
        self._graph = graph
        self._output = _features_of(graph)
        windows = {port.shape[0] for port in graph.inputs.values() if port.shape} - {None}
        if windows - {1}:
            raise InputError(
                f"{graph.path} takes {max(filter(None, windows))} windows of sound at a time, a clip has any number: "
                "export an encoder for one window or for any number."
            )
        self._one_by_one = bool(windows)
        sound, text = graph.outputs[self._output].shape[-1], embed.outputs["inputs_embeds"].shape[-1]
        if None not in (sound, text) and sound != text:
            raise InputError(
                f"{graph.path} makes features of width {sound}, {embed.path} embeddings of width {text}: "
                "all graphs must come from one export."
            )

    def features(self, sound: Sound) -> Floats:
        """The features that go into the prompt, [``sound.tokens``, hidden].

        A graph that declares batch 1 gets one window after another.

        Raises:
            ModelError: The graph made fewer, or some that are no numbers.
        """
        inputs = {name: sound.inputs[name].astype(port.dtype) for name, port in self._graph.inputs.items()}
        count = len(next(iter(inputs.values())))
        if self._one_by_one:
            parts = [{name: value[at : at + 1] for name, value in inputs.items()} for at in range(count)]
        else:
            parts = [inputs]
        outputs = [self._graph.session.run([self._output], part)[0] for part in parts]
        features: Floats = np.concatenate([output.reshape(-1, output.shape[-1]) for output in outputs])[: sound.tokens]
        if len(features) < sound.tokens:
            raise ModelError(f"the encoder made {len(features)} features where the prompt has {sound.tokens}")
        if not np.isfinite(features).all():
            raise ModelError(f"the encoder computes NaN or infinity as features: {OVERFLOW}")
        return features


def check_ranks(encoder: Graph) -> None:
    """Check what holds in every family: how many axes sound and features have.

    Args:
        encoder: Graph ``audio_encoder``.

    Raises:
        InputError: They have others, or there are no features.
    """
    if not encoder.outputs:
        raise InputError(f"{encoder.path} has no output, an encoder has audio_features: export it anew.")
    sounds = [(port, (3,)) for name, port in encoder.inputs.items() if name in FEATURES]
    for port, ranks in (*sounds, (encoder.outputs[_features_of(encoder)], (2, 3))):
        if len(port.shape) not in ranks:
            raise InputError(
                f"{encoder.path} declares {port.name} as {list(port.shape)}, an encoder has "
                f"{' or '.join(map(str, ranks))} axes there: export it anew."
            )


def _features_of(encoder: Graph) -> str:
    return "audio_features" if "audio_features" in encoder.outputs else next(iter(encoder.outputs))
