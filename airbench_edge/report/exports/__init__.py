"""The report in the forms that other programs and papers take."""

from airbench_edge.report.exports.items_csv import items_csv
from airbench_edge.report.exports.markdown import markdown
from airbench_edge.report.exports.model_card import model_card
from airbench_edge.report.exports.official import OfficialFiles, official_files
from airbench_edge.report.exports.tasks_csv import tasks_csv

__all__ = ["OfficialFiles", "items_csv", "markdown", "model_card", "official_files", "tasks_csv"]
