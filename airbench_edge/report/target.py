"""Where a report may be written to: never in the place of something that it would destroy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from airbench_edge.errors import InputError


def plain_target(path: Path, run: Path, others: Sequence[Path] = ()) -> Path:
    """The file that ``path`` means, links followed.

    Args:
        path: What the user gave.
        run: The run folder, whose own files are not to be replaced.
        others: Targets of the same command.

    Raises:
        InputError: It is a folder, a pipe or a device, lies inside the run folder, was given twice, or is a name that
            the system does not take.
    """
    try:
        target = path.resolve()
        is_folder, is_special = target.is_dir(), target.exists() and not target.is_file()
    except (OSError, RuntimeError) as error:  # the latter of links that lead in a circle
        why = error.strerror if isinstance(error, OSError) else "a circle of links"
        raise InputError(f"{path} cannot be written ({why}): choose another place.") from error
    if is_folder or not path.name:
        raise InputError(f"{path} is a folder: give the name of a file to write.")
    if is_special:
        raise InputError(f"{path} is a device or a pipe, which a report cannot replace: give the name of a plain file.")
    if target.is_relative_to(run.resolve()):
        raise InputError(f"{path} lies inside the run folder, whose files are kept as they are: choose another place.")
    if target in others:
        raise InputError(f"{path} was given for two outputs: give each a file of its own.")
    return target
