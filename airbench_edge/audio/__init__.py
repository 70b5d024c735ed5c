"""File to mono float32 waveform to log-mel."""
