"""Several runs of the same questions, item by item; ``compare_runs`` is all that other rooms need."""

from airbench_edge.report.compare.compare import compare_runs
from airbench_edge.report.compare.model import ComparisonModel

__all__ = ["ComparisonModel", "compare_runs"]
