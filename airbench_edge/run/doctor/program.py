"""Python, this program, and the libraries that read sound."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator

import soundfile

from airbench_edge import __version__
from airbench_edge.run.doctor.finding import Finding, Level


def program() -> Iterator[Finding]:
    """What runs, and on what."""
    yield Finding("airbench-edge", Level.OK, __version__)
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    yield Finding("Python", Level.OK, f"{platform.python_version()} on {system}")
    version = soundfile.__libsndfile_version__
    if "MP3" in soundfile.available_formats():
        yield Finding("libsndfile", Level.OK, f"{version}, reads WAV, FLAC and MP3")
    else:
        remedy = (
            "Reinstall soundfile from its wheel (pip install --force-reinstall soundfile), which brings 1.2 or newer."
        )
        yield Finding("libsndfile", Level.PROBLEM, f"{version} cannot read MP3, in which some folders are", remedy)
