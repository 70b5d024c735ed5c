"""A run folder to one report model, and the ways to show it."""
