"""The pages as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from airbench_edge.errors import InputError
from airbench_edge.report.agreement import AgreementModel
from airbench_edge.report.compare import ComparisonModel
from airbench_edge.report.html.agreement_page import agreement_parts
from airbench_edge.report.html.comparison_page import comparison_parts
from airbench_edge.report.html.page import page_parts
from airbench_edge.report.html.sounds import NO_SOUNDS, Sounds
from airbench_edge.report.model import ReportModel
from airbench_edge.run.atomic import in_place_of
from airbench_edge.run.folder import RunData


def write_html(path: Path, run: RunData, model: ReportModel, sounds: Sounds = NO_SOUNDS) -> None:
    """Write the report; the old file stays until the new one is whole. Equal runs give equal bytes.

    Args:
        path: Where to.
        run: The run.
        model: Its report.
        sounds: The clips that can be played.

    Raises:
        InputError: The file cannot be written.
    """
    _write(path, page_parts(run, model, sounds))


def write_comparison(path: Path, first: RunData, model: ComparisonModel) -> None:
    """Write a comparison in the same way.

    Args:
        path: Where to.
        first: The run that the others are compared with.
        model: The comparison.

    Raises:
        InputError: The file cannot be written.
    """
    _write(path, comparison_parts(first, model))


def write_agreement(path: Path, model: AgreementModel) -> None:
    """Write a comparison of two judges in the same way.

    Args:
        path: Where to.
        model: The comparison.

    Raises:
        InputError: The file cannot be written.
    """
    _write(path, agreement_parts(model))


def _write(path: Path, parts: Iterable[str]) -> None:
    try:
        with in_place_of(path) as file:
            file.writelines(part.encode() for part in parts)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}): choose another place for the page.") from error
