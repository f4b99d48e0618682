"""Renderings in GitHub's Markdown."""
