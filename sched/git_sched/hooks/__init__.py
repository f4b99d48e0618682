"""Git hooks: what they print after a merge, the files that git runs, and their installation."""

from __future__ import annotations

from typing import Final

NAMES: Final = ("post-merge", "post-rewrite", "post-checkout")
"""The hooks that together notice every way in which a merge, rebase or checkout changes the work tree."""
