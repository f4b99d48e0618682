"""Renders for programs: JSON, outputs of a step, job matrices, annotations, dispatch plans."""
