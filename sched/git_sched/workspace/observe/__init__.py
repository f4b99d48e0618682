"""Reads the signals of this machine: one module for each."""
