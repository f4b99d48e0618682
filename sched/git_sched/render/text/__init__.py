"""Renders text for a terminal."""
