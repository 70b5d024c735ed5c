"""The report for programs."""

from __future__ import annotations

import msgspec

from airbench_edge.report.model import ReportModel


def report_json(model: ReportModel) -> str:
    """Everything in the report, indented; equal reports give equal bytes."""
    return msgspec.json.format(msgspec.json.encode(model), indent=2).decode() + "\n"
