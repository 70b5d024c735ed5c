"""Training of the small built-in audio-LM, stage by stage."""
