"""What of a local model and of the machine can change what it says."""

from __future__ import annotations

from airbench_edge.llama.engine import Engine
from airbench_edge.llama.file_hash import sha256_of
from airbench_edge.llama.library import cpu_features, version
from airbench_edge.llama.model_file import ModelFile


def instrument(file: ModelFile, engine: Engine) -> dict[str, str]:
    """Weights, build and layout, for the identity of whatever uses them."""
    return {
        "file": file.path.name,
        "sha256": sha256_of(file.parts),
        "engine": f"llama-cpp-python {version()}",
        "cpu": cpu_features(),
        "threads": str(engine.threads),
        "gpu": "all layers" if engine.offloads else "none",
        "piece": engine.layout,
    }
