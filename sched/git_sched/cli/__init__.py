"""The command line: parses, reads, decides, prints and ends; the only place that does the last two."""
