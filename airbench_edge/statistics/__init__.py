"""One statistic a file, arithmetic only."""
