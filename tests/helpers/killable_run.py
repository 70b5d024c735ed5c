"""A whole run in a process of its own, slow enough to be killed in any of its stages.

    python killable_run.py DATA RESPONSES OUT SECONDS_A_STEP

``RESPONSES`` may be ``listen``: then the clips are decoded and heard.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from helpers.run_parts import CountingJudge, Loudness, load, manifest_of

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.run.align import AlignWhich, align
from airbench_edge.run.answer import answer
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import create_or_open
from airbench_edge.run.progress import Silent, Step


class Slow(Silent):
    """Takes its time over every step."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def advanced(self, step: Step) -> None:
        """Wait."""
        time.sleep(self.seconds)


def main(data_root: str, responses: str, out: str, seconds: str) -> None:
    """Do all three stages, saying when the work begins."""
    data = load(Path(data_root))
    model = Loudness() if responses == "listen" else RecordedAudioLM(responses)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    progress = Slow(float(seconds))
    with create_or_open(Path(out), manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data, progress)
        align(run, CountingJudge(), AlignWhich.UNDECIDED, progress)
        judge_chat(run, CountingJudge(), 30, progress)


if __name__ == "__main__":
    main(*sys.argv[1:])
