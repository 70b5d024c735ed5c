"""The audio-LM contract and its back ends."""
