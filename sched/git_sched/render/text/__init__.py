"""Renderings as text for a terminal."""
