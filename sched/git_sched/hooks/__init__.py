"""The hooks: what they say after a merge, the files that git runs, and how those are put in place."""

from __future__ import annotations

from typing import Final

NAMES: Final = ("post-merge", "post-rewrite", "post-checkout")
"""The hooks that together see every way in which a branch moves under its user's feet."""
