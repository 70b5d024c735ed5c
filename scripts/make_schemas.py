"""Write the JSON Schemas of the program's output to docs/schemas."""

from __future__ import annotations

from pathlib import Path

import msgspec

from airbench_edge.report.schemas import schemas

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def main() -> None:
    """Write one file a schema."""
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        text = msgspec.json.format(msgspec.json.encode(schema, order="sorted"))
        (FOLDER / f"{name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
