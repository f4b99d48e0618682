"""Observers: each fetches one signal from this machine and reads it into a value."""
