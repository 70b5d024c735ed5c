"""What sounds a clip holds, by a classifier of AudioSet's classes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from airbench_edge.audio import Waveform
from airbench_edge.audiolm.cascade.patches import BANDS, FRAMES, log_mel_patches
from airbench_edge.audiolm.onnx.providers import place
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

VOICES = frozenset(
    {
        "Speech",
        "Child speech, kid speaking",
        "Conversation",
        "Narration, monologue",
        "Babbling",
        "Speech synthesizer",
        "Shout",
        "Bellow",
        "Whoop",
        "Yell",
        "Children shouting",
        "Screaming",
        "Whispering",
        "Singing",
        "Choir",
        "Chant",
        "Child singing",
        "Rapping",
        "Humming",
    }
)
"""Classes of AudioSet in which words may be heard."""


class Tag(NamedTuple):
    """A class of sound and its probability, the mean over the clip."""

    name: str
    probability: float


class Sounds(NamedTuple):
    """What a clip holds.

    Attributes:
        tags: All classes, the most probable first.
        voice: Largest probability of one of ``VOICES`` in any patch; 1 for a table that has none of them.
    """

    tags: list[Tag]
    voice: float


class Tagger:
    """A YAMNet graph: log-mel patches in, [patches, 1, 96, 64], probabilities of classes out, [patches, classes].

    Args:
        graph: The ``.onnx`` file.
        classes: YAMNet's ``yamnet_class_map.csv``, or any table with a column ``display_name``.
        device: ``auto``, ``cpu``, ``cuda`` or ``tensorrt``.

    Attributes:
        provider: The execution provider that the graph really got.

    Raises:
        InputError: A file cannot be used, or graph and table do not fit each other.
    """

    def __init__(self, graph: Path, classes: Path, device: str = "auto") -> None:
        if not graph.is_file():
            raise InputError(f"The audio tagger {graph} is missing: make the cascade folder anew.")
        self._names = _names(classes)
        self._voices = [place for place, name in enumerate(self._names) if name in VOICES]
        opened = open_graph("tagger", graph, place(device).text)
        self.provider = opened.provider
        self._session = opened.session
        self._input, port = next(iter(opened.inputs.items()))
        made = next(iter(opened.outputs.values())).shape[-1]
        if port.shape[1:] != (1, FRAMES, BANDS) or made not in (None, len(self._names)):
            raise InputError(
                f"{graph} takes {port.shape} and gives {made} classes; wanted are (patches, 1, {FRAMES}, {BANDS}) "
                f"and the {len(self._names)} classes of {classes}."
            )

    def listen(self, waveform: Waveform) -> Sounds:
        """Tag a clip.

        Args:
            waveform: Mono at 16 kHz, [samples].
        """
        patches = log_mel_patches(waveform)[:, None]
        probabilities = self._session.run(None, {self._input: patches})[0]
        voice = max((float(probabilities[:, place].max()) for place in self._voices), default=1.0)
        means = probabilities.mean(0, dtype=np.float64)
        order = np.argsort(-means, kind="stable")
        return Sounds([Tag(self._names[place], float(means[place])) for place in order], voice)


def _names(table: Path) -> Sequence[str]:
    try:
        with table.open(encoding="utf-8", newline="") as file:
            return [row["display_name"] for row in csv.DictReader(file)]
    except (OSError, KeyError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"The classes {table} cannot be read ({error!r}): give yamnet_class_map.csv.") from error
