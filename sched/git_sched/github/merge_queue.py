"""GitHub's merge queue, asked once and written down as the signal that a decision reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from git_sched.github.api import Api

QUERY: Final = """query($owner: String!, $name: String!, $branch: String) {
  repository(owner: $owner, name: $name) { mergeQueue(branch: $branch) { entries(first: 1) { totalCount } } }
}"""


def query_depth(api: Api, repository: str, branch: str) -> dict[str, object]:
    """Give what the file for ``--merge-queue`` says: the depth of this repository's queue, or why it is unknown."""
    owner, _, name = repository.partition("/")
    found = api.graphql(QUERY, {"owner": owner, "name": name, "branch": branch or None})
    if not found.ok and found.message:
        return {"unknown": f"GitHub's merge queue could not be read: {found.message}"}
    data = found.value if isinstance(found.value, dict) else {}
    about = data.get("repository")
    if not isinstance(about, dict):
        return {"unknown": "GitHub's merge queue could not be read: this token does not see the repository"}
    queue = about.get("mergeQueue")
    if queue is None:
        return {"unknown": f"GitHub has no merge queue for {branch or 'the default branch'}"}
    entries = queue.get("entries") if isinstance(queue, dict) else None
    total = entries.get("totalCount") if isinstance(entries, dict) else None
    if type(total) is not int or total < 0:
        return {"unknown": "GitHub's answer about the merge queue cannot be read"}
    return {"depths": {repository: total}}
