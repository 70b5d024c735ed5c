from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from helpers.example_run import example_run, one_item_run
from helpers.made_items import question

from airbench_edge.report.as_json import as_json
from airbench_edge.report.build import build_report
from airbench_edge.report.schemas import schemas
from airbench_edge.run.folder import RunData

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def test_committed_schemas_are_current() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(schemas())
    for name, schema in schemas().items():
        committed = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
        assert committed == json.loads(msgspec.json.encode(schema)), "python scripts/make_schemas.py writes it anew"


@pytest.mark.parametrize("run", [example_run(), one_item_run(question("x", task="smell"), "B")], ids=["whole", "odd"])
def test_reports_follow_their_schema(run: RunData) -> None:
    validator = jsonschema.Draft202012Validator(schemas()["report-1"])
    validator.check_schema(validator.schema)
    report = json.loads(as_json(build_report(run)))
    validator.validate(report)
    del report["judges"]
    assert not validator.is_valid(report)
