"""Renderings for programs: JSON, outputs, matrices, annotations and dispatch plans."""
