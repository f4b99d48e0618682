"""Paths: which texts lead to a place inside a workspace."""

from __future__ import annotations


def inside(path: str) -> str | None:
    """Return a path relative to the workspace in normal form, or ``None`` if it leads out of it or into ``.git``."""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if path.startswith("/") or "\0" in path or not parts or ".." in parts:
        return None
    return None if any(part.lower() == ".git" for part in parts) else "/".join(parts)
