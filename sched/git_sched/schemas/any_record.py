"""Types that only schemas need: any record, and the list of dispatch plans."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from git_sched import record

ANY = Annotated[
    record.DecisionsRecord
    | record.StatusRecord
    | record.ForecastRecord
    | record.ExplanationRecord
    | record.CheckRecord
    | record.PolicyRecord
    | record.ComparisonRecord
    | record.VerificationRecord
    | record.ReleaseRecord,
    Field(discriminator="kind"),
]
"""Any record; its kind says which."""

PLANS = list[record.PlanRecord]
"""What ``--format dispatch-plan`` prints."""
