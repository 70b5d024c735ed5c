"""File to mono float32 waveform to log-mel."""

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audio.probe import ProbeLine, probe
from airbench_edge.audio.reader import Clip, read_clip
from airbench_edge.audio.resample import Waveform

__all__ = ["AudioError", "Clip", "Fault", "MelSettings", "ProbeLine", "Waveform", "log_mel", "probe", "read_clip"]
