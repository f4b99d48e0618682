"""Renders HTML pages."""
