"""Reports and comparisons as one HTML file each that needs nothing else: overview, charts, and items to look into."""

from airbench_edge.report.html.sounds import NO_SOUNDS, AudioMode, Sounds, find_sounds
from airbench_edge.report.html.write import write_agreement, write_comparison, write_html

__all__ = ["NO_SOUNDS", "AudioMode", "Sounds", "find_sounds", "write_agreement", "write_comparison", "write_html"]
