"""Fuzzing: the whole command line, over damaged files and any arguments."""
