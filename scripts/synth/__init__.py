"""Synthetic sound with a known truth, and questions about it: for the small data set and the small model's lessons."""
