"""AIR-Bench on one workstation: an ONNX audio-LM, a pluggable judge, a report."""

__version__ = "0.1.0"
