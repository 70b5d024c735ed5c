"""The run folder, its journal, and the stages answer, align, judge."""
