"""Responses and verdicts in, scores out: pure functions, one concept a file.

``marks`` and ``ratings`` read items one by one; ``foundation`` and ``chat`` put them together under both rules.
"""
