"""What ``make_cascade.py`` puts into the folder of a cascade."""
