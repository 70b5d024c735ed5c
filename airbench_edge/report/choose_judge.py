"""The judges of a run by the names that people give them."""

from __future__ import annotations

from collections.abc import Sequence

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import Judged, RunData


def choose_judge(run: RunData, name: str) -> Judged:
    """The judge whose verdict file is called so, or the only one whose name begins so.

    Raises:
        InputError: There is none, or more than one.
    """
    if exact := run.verdicts.get(name):
        return exact
    found = {stem: judged for stem, judged in run.verdicts.items() if stem.startswith(name)}
    if len(found) == 1:
        return next(iter(found.values()))
    known = ", ".join(found or run.verdicts) or "none yet"
    what = f"{len(found)} judges whose names begin with {name}" if found else f"no verdicts by {name}"
    raise InputError(f"{run.path} has {what}: name one of its verdict files ({known}).")


def judged_by(run: RunData, judge: JudgeIdentity) -> Judged:
    """What this very judge said.

    Raises:
        StopIteration: It has not judged the run.
    """
    return next(judged for judged in run.verdicts.values() if judged.identity == judge)


def two_judges(names: str) -> tuple[str, str]:
    """The names in ``A,B``.

    Raises:
        InputError: There are not two.
    """
    parts: Sequence[str] = [name.strip() for name in names.split(",") if name.strip()]
    if len(parts) != 2 or parts[0] == parts[1]:
        raise InputError(f"--judges {names} does not name two judges: give two names with a comma between.")
    return parts[0], parts[1]
