"""Tells from beads' other files whether its list of issues is the source, or an export that may be out of date."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.formats.reading.document import read_document, read_json_document

if TYPE_CHECKING:
    from git_sched.model.blob import Blob

CONFIG = "config.yaml"
METADATA = "metadata.json"

_TELLING = re.compile(rb"^(?:no-db|export|dolt|sync|backend|storage)\b", re.MULTILINE)


def database(config: Blob | None, metadata: Blob | None) -> str:
    """Return the file that shows a database which does not keep the list up to date, or an empty string."""
    settings = _settings(config)
    if settings.get("no-db") is True or settings.get("export.auto") in (True, "true"):
        return ""
    if metadata is not None and _backend(metadata) == "dolt":
        return metadata.path
    is_dolt = "dolt" in (settings.get("backend"), settings.get("storage.backend"))
    if config is not None and (is_dolt or any(key.startswith(("dolt.", "sync.remote")) for key in settings)):
        return config.path
    return ""


def named_export(metadata: Blob | None) -> str:
    """Return the name of the list of issues that the metadata gives, or an empty string."""
    value = read_json_document(metadata).value if metadata is not None else None
    name = value.get("jsonl_export") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


def _backend(metadata: Blob) -> object:
    value = read_json_document(metadata).value
    return value.get("backend", value.get("database")) if isinstance(value, dict) else None


def _settings(config: Blob | None) -> dict[str, object]:
    """Read a configuration as flat keys: ``export.auto`` is ``auto`` below ``export``. Most have only comments."""
    if config is None or not _TELLING.search(config.data):
        return {}
    value = read_document(config).value
    flat: dict[str, object] = {}
    for key, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, dict):
            flat.update({f"{key}.{name}": item for name, item in inner.items()})
        else:
            flat[key] = inner
    return flat
