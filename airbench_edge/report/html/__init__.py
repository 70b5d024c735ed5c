"""The report as one HTML file that needs nothing else: overview, charts, and every item to look into."""

from airbench_edge.report.html.sounds import NO_SOUNDS, AudioMode, Sounds, find_sounds
from airbench_edge.report.html.write import write_html

__all__ = ["NO_SOUNDS", "AudioMode", "Sounds", "find_sounds", "write_html"]
