"""The report in the terminal: ``print_report`` is all that other rooms need."""

from airbench_edge.report.terminal.print_report import print_report

__all__ = ["print_report"]
