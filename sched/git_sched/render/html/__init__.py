"""Renderings as HTML pages."""
