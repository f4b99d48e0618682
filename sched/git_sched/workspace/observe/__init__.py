"""Observers: each reads one signal from this machine as a value."""
