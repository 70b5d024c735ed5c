"""Whether a run would work on this machine; ``diagnose`` is all that other rooms need."""

from airbench_edge.run.doctor.diagnose import Diagnosis, Plan, diagnose
from airbench_edge.run.doctor.finding import Finding, Level

__all__ = ["Diagnosis", "Finding", "Level", "Plan", "diagnose"]
