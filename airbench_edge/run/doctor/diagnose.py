"""Everything that a run depends on, looked at in the order in which a person would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from airbench_edge import __version__
from airbench_edge.audiolm.onnx.providers import CUDA, Device, why_not
from airbench_edge.run.doctor.data import check_data, check_disk
from airbench_edge.run.doctor.finding import Finding, Level
from airbench_edge.run.doctor.gpu import Gpu, gpu_findings, gpus
from airbench_edge.run.doctor.judge import check_judge
from airbench_edge.run.doctor.llama import llama
from airbench_edge.run.doctor.memory import gpu_memory, memory
from airbench_edge.run.doctor.model import check_model, uses_llama
from airbench_edge.run.doctor.program import program
from airbench_edge.run.doctor.runtime import runtime

DIAGNOSIS_SCHEMA = 1


class Plan(msgspec.Struct, frozen=True):
    """What somebody wants to run; what is left out is not looked at.

    Attributes:
        model: As after ``--model``.
        dtype: As after ``--dtype``.
        device: A value of ``Device``.
        judges: As after ``--judge``.
        base_url: As after ``--base-url``.
        data: As after ``--data``.
        out: Where the run folder would be.
    """

    model: str | None = None
    dtype: str | None = None
    device: str = "auto"
    judges: tuple[str, ...] = ()
    base_url: str | None = None
    data: str | None = None
    out: Path = Path()


class Diagnosis(msgspec.Struct, frozen=True):
    """What was found.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that looked.
        healthy: Whether there is no problem.
        findings: Line by line.
    """

    schema: int
    program: str
    healthy: bool
    findings: tuple[Finding, ...]


def diagnose(plan: Plan) -> Diagnosis:
    """Look at everything; what is wrong is a finding and never an error."""
    findings = tuple(_findings(plan))
    healthy = all(finding.level is not Level.PROBLEM for finding in findings)
    return Diagnosis(DIAGNOSIS_SCHEMA, __version__, healthy, findings)


def _findings(plan: Plan) -> Iterator[Finding]:
    found = gpus()
    yield from program()
    yield from gpu_findings(found)
    yield from runtime(Device(plan.device), found)
    wants_llama = any(judge.startswith("llama:") for judge in plan.judges)
    yield from llama(wants_llama or uses_llama(plan.model or ""), found)
    yield from _parts(plan, found)
    items = 0
    if plan.data is not None:
        finding, items = check_data(plan.data, needs_sound=not (plan.model or "").startswith("recorded:"))
        yield finding
    yield check_disk(plan.out, items)


def _parts(plan: Plan, found: list[Gpu]) -> Iterator[Finding]:
    """The model, the judges, and the memory that they take together: a run keeps all of them."""
    needs = []
    if plan.model is not None:
        on_gpu = plan.device != Device.CPU and not why_not(CUDA)
        model = check_model(plan.model, plan.dtype, on_gpu)
        yield model.finding
        if model.gpu_memory and found:
            yield gpu_memory(model.gpu_memory, max(gpu.free for gpu in found))
        needs += [("model", model.memory)] if model.memory else []
    for spec in plan.judges:
        judge = check_judge(spec, plan.base_url)
        yield judge.finding
        needs += [("judge", judge.memory)] if judge.memory else []
    yield memory(needs)
