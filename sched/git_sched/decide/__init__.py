"""Decide: from graphs, policy and signals to an answer. Pure functions of values."""
