"""The health card of a judge: how it treats answers of which everybody knows what they are worth.

``probes`` holds the questions and their answers, ``plan`` chooses what is asked, ``check`` asks, ``scored`` sorts the
replies, ``measures`` counts, ``limits`` says what is good enough, ``card`` is the outcome and ``store`` keeps it.
"""
