"""Two judges on the same answers: how far they agree, and where they do not."""

from airbench_edge.report.agreement.build import compare_judges
from airbench_edge.report.agreement.model import AGREEMENT_SCHEMA, AgreementModel

__all__ = ["AGREEMENT_SCHEMA", "AgreementModel", "compare_judges"]
