"""What the commands that ask judges have in common."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import typer

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import Judge
from airbench_edge.judges.health.known import card_of
from airbench_edge.judges.health.store import stored
from airbench_edge.judges.open import JudgeSettings, open_judge
from airbench_edge.judges.recorded import RecordedJudge
from airbench_edge.report.health import health_line, is_meaningful
from airbench_edge.report.live import counting
from airbench_edge.run.health import keep_card
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.stage import Summary


@contextmanager
def opened_judges(specs: Sequence[str], settings: JudgeSettings) -> Iterator[list[Judge]]:
    """Open all judges before anything is done, so that a wrong one costs nothing."""
    judges: list[Judge] = []
    try:
        judges += [open_judge(spec, settings, _say) for spec in specs]
        yield judges
    finally:
        for opened in judges:
            opened.close()


def _say(words: str) -> None:
    print(words, file=sys.stderr)


def seeded(settings: JudgeSettings, run: OpenRun) -> JudgeSettings:
    """Let sampling follow the seed of the run, so that a judge is the same instrument in every command."""
    return msgspec.structs.replace(settings, seed=run.manifest.selection.seed)


def seeded_alike(settings: JudgeSettings, runs: Sequence[OpenRun]) -> JudgeSettings:
    """The same for runs that are judged together.

    Raises:
        InputError: The judge samples, and the runs have different seeds.
    """
    seeds = {run.manifest.selection.seed for run in runs}
    if len(seeds) > 1 and settings.temperature not in ("0", "0.0"):
        raise InputError("These runs have different seeds and the judge samples by them: judge them one by one.")
    return seeded(settings, runs[0])


def keep_cards(runs: Sequence[OpenRun], judges: Sequence[Judge], ask: bool) -> None:
    """Put the health card of every judge into the runs; with ``ask``, check those first that have none.

    A judge that failed is told of before it is asked for hours. Of recorded verdicts it is said instead what of them is
    left out.
    """
    with_chat = [run for run in runs if run.chat]
    for judge in judges if with_chat else ():
        if isinstance(judge, RecordedJudge):
            for run in with_chat:
                _tell_what_is_left_out(run, judge)
        watch = partial(_checking, judge.identity.name)
        known = stored(judge.identity)
        if card := card_of(judge, watch) if ask else known and known.card:
            for run in with_chat:
                keep_card(run.path, card)
            if not is_meaningful(card):
                _say(f"{judge.identity.name}: {health_line(judge.identity, card)}")


def _tell_what_is_left_out(run: OpenRun, judge: RecordedJudge) -> None:
    known = {str(item.uniq_id) for item in run.chat}
    if strange := sum(uniq_id not in known for uniq_id, _ in judge.keys):
        print(
            f"{judge.identity.name}: {strange} verdicts about items that are not in the run, ignored.", file=sys.stderr
        )
    if judge.contradicted:
        said = f"{judge.contradicted} lines say otherwise than an earlier one about the same item and order"
        print(f"{judge.identity.name}: {said}, the last one counts.", file=sys.stderr)


@contextmanager
def _checking(name: str) -> Iterator[Callable[[int, int], None]]:
    print(f"Checking the judge {name} with a few probes, this once (--no-judge-check skips it).", file=sys.stderr)
    with counting("checking") as advanced:
        yield advanced


def is_silent(summaries: Sequence[Summary]) -> bool:
    """Whether a model or a judge was asked and neither now nor earlier gave anything for these runs."""
    return any(each.done for each in summaries) and all(
        each.failed == each.done and not each.already for each in summaries
    )


def exit_for_silent(judges: Sequence[str], model: str | None = None) -> None:
    """End with exit code 1 and a word on the model that answered nothing and the judges that gave no verdict."""
    if model:
        _say(f"{model}: no item could be answered; the report counts the reasons.")
    if judges:
        _say(f"{', '.join(judges)}: every request failed, so there is no verdict; the report counts the reasons.")
    if model or judges:
        raise typer.Exit(1)


@contextmanager
def resumable(out: Path) -> Iterator[None]:
    """Turn Ctrl-C into exit code 130 and a word on how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        again = shlex.join(["airbench-edge", *sys.argv[1:]])
        print(f"Stopped; everything so far is in {out}. To go on: {again}", file=sys.stderr)
        raise typer.Exit(130) from None
