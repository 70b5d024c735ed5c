"""What a run would take, before anything is spent; ``estimate`` is all that other rooms need."""

from airbench_edge.run.estimate.estimate import Wanted, estimate
from airbench_edge.run.estimate.figures import Estimate

__all__ = ["Estimate", "Wanted", "estimate"]
