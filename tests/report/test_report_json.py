from __future__ import annotations

import json
from pathlib import Path

import msgspec
from helpers import official_case
from helpers.example_run import example_run

from airbench_edge.report.as_json import as_json
from airbench_edge.report.build import build_report
from airbench_edge.report.model import SCHEMA, ReportModel
from airbench_edge.run.machine import Machine, Timing


def test_numbers_are_whole() -> None:
    report = json.loads(as_json(build_report(example_run())))
    assert report["schema"] == SCHEMA
    assert report["judges"][0]["scores"]["average"]["official"]["value"] == official_case.expected()["chat"]["average"]


def test_reads_back_as_the_model() -> None:
    model = build_report(example_run())
    assert msgspec.json.decode(as_json(model), type=ReportModel) == model


def test_neither_place_nor_clock_nor_host_changes_a_byte() -> None:
    providers = {"audio_encoder": "CPUExecutionProvider"}
    here = example_run(path=Path("runs/here"))
    there = example_run(
        path=Path("runs/there"),
        machine=Machine("0.1.0", "3.12.1", "Windows", "elsewhere", 64, providers),
        timings=(Timing("answer", "nano", "elsewhere", "2026-01-01T00:00:00+00:00", 5.0, 768, 0.0),),
    )
    assert as_json(build_report(here)) == as_json(build_report(there))
