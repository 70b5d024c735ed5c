"""JSON Schemas of what the program writes as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from airbench_edge.judges.health.check import Checked
from airbench_edge.report.agreement import AGREEMENT_SCHEMA, AgreementModel
from airbench_edge.report.calibration import CALIBRATION_SCHEMA, CalibrationModel
from airbench_edge.report.compare.model import COMPARISON_SCHEMA, ComparisonModel
from airbench_edge.report.judge_diff import DIFF_SCHEMA, JudgeDiff
from airbench_edge.report.model import SCHEMA, ReportModel
from airbench_edge.run.doctor.diagnose import DIAGNOSIS_SCHEMA, Diagnosis
from airbench_edge.run.estimate.figures import ESTIMATE_SCHEMA, Estimate

_FORMS: dict[str, type[msgspec.Struct]] = {
    f"report-{SCHEMA}": ReportModel,
    f"comparison-{COMPARISON_SCHEMA}": ComparisonModel,
    f"diagnosis-{DIAGNOSIS_SCHEMA}": Diagnosis,
    f"estimate-{ESTIMATE_SCHEMA}": Estimate,
    "health-1": Checked,
    f"agreement-{AGREEMENT_SCHEMA}": AgreementModel,
    f"calibration-{CALIBRATION_SCHEMA}": CalibrationModel,
    f"judge-diff-{DIFF_SCHEMA}": JudgeDiff,
}


def schemas() -> dict[str, dict[str, Any]]:
    """Name with version, as ``report-1``, to JSON Schema (draft 2020-12)."""
    return {
        name: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:airbench-edge:schema:{name}",
            **msgspec.json.schema(form),
        }
        for name, form in _FORMS.items()
    }
