"""What the words of the tables mean."""

from __future__ import annotations

from rich.console import Console

from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal.grids import print_words

_GENERAL = {
    "Official": "As the released scripts, digit for digit: what they cannot read leaves numerator and denominator.",
    "Strict": "A careful reader: every item that was heard counts, and one without a letter counts as not right; "
    "a chat item counts where its verdicts can be read in both orders.",
    "95 %": "Interval of Wilson for a task, bootstrap over the items within tasks and groups for a mean. "
    "± is half its width.",
}
_FOUNDATION = {
    "Heard": "Items that reached the audio-LM, and their share of the planned ones.",
    "Mean": "A task pools its sources, a category is the mean of its tasks, the average that of the categories.",
    "Chance": "Guessing among the options that exist. A strict figure is green above it, red below, yellow where the "
    "interval does not tell. The bar is the strict figure, its notch the chance.",
}
_CHAT = {
    "Ref. first": "Mean score of the audio-LM where the judge reads the reference answer first; likewise model first.",
    "Win rates": "Share of verdicts in which the audio-LM scores strictly higher, in these two orders.",
    "Dropped": "Verdicts that the released scorer cannot read. Unread: those that strict cannot read.",
    "Expected": "Mean of the scores that the judge expects by its own probabilities, beside those that it wrote.",
    "Mixed": "The mean of its two groups.",
}


def print_legend(console: Console, model: ReportModel) -> None:
    """Print the words that this report uses."""
    words = {**_GENERAL, **(_FOUNDATION if model.letters else {}), **(_CHAT if model.judges else {})}
    print_words(console, words)
