"""What all tests share: options, hypothesis profiles, and a git that knows nothing of the machine it runs on."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

import git_sched

for profile, examples in (("quick", 10), ("standard", 60)):
    settings.register_profile(
        profile,
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.register_profile("deep", max_examples=3_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "standard"))

PINNED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A. U. Thor",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_AUTHOR_DATE": "2026-11-02T09:00:00Z",
    "GIT_COMMITTER_NAME": "C. O. Mitter",
    "GIT_COMMITTER_EMAIL": "committer@example.org",
    "GIT_COMMITTER_DATE": "2026-11-02T09:00:00Z",
}
"""Who commits, and when: object ids are the same everywhere."""

FOREIGN = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "SOURCE_DATE_EPOCH", "XDG_STATE_HOME", "NO_COLOR",
    "FORCE_COLOR", "CLICOLOR", "GIT_PAGER_IN_USE", "COLUMNS", "SCHED_AGENT",
)  # fmt: skip
"""What a shell or a hook around the tests may have set."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes golden files anew."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew, to be read in a diff")


def pytest_report_header() -> str:
    """Say which git-sched is tested: the source or an installed wheel."""
    return f"git-sched: {git_sched.__file__}"


@pytest.fixture(autouse=True)
def _pinned_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    for name, value in PINNED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))


@pytest.fixture
def update_golden(pytestconfig: pytest.Config) -> bool:
    """Say whether golden files are to be written rather than compared."""
    return bool(pytestconfig.getoption("--update-golden"))
