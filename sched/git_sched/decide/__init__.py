"""Decides which tasks come next, from graphs, policy and signals. Pure functions of values."""
