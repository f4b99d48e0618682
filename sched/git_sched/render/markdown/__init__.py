"""Renders GitHub's Markdown: job summary, pull request comment, drawing."""
