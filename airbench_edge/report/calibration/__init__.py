"""The scores of a cheap judge, corrected by a reference judge on a sample."""

from airbench_edge.report.calibration.build import calibrate, refuse_one_judge
from airbench_edge.report.calibration.model import CALIBRATION_SCHEMA, CalibrationModel

__all__ = ["CALIBRATION_SCHEMA", "CalibrationModel", "calibrate", "refuse_one_judge"]
