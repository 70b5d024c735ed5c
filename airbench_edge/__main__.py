"""``python -m airbench_edge``."""

from airbench_edge.cli.main import main

main()
