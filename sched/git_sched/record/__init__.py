"""The records: what git-sched says, as JSON of a frozen shape. Renderers are functions of these alone.

``schema_version`` is 1. Within it keys may be added, never removed or given another meaning.
"""

from git_sched.record.base import Record as Record
from git_sched.record.comparison import ChangesRecord as ChangesRecord
from git_sched.record.comparison import ComparedRecord as ComparedRecord
from git_sched.record.comparison import ComparisonRecord as ComparisonRecord
from git_sched.record.comparison import NamesRecord as NamesRecord
from git_sched.record.comparison import PickRecord as PickRecord
from git_sched.record.comparison import PlaceRecord as PlaceRecord
from git_sched.record.comparison import PolicyChangeRecord as PolicyChangeRecord
from git_sched.record.comparison import SideRecord as SideRecord
from git_sched.record.decision import AgentRecord as AgentRecord
from git_sched.record.decision import DecisionRecord as DecisionRecord
from git_sched.record.decision import DecisionsRecord as DecisionsRecord
from git_sched.record.decision import DispatchDefaults as DispatchDefaults
from git_sched.record.decision import DispatchHints as DispatchHints
from git_sched.record.decision import MarginRecord as MarginRecord
from git_sched.record.decision import RootRecord as RootRecord
from git_sched.record.decision import RunnerUpRecord as RunnerUpRecord
from git_sched.record.event import EventPayload as EventPayload
from git_sched.record.event import EventRecord as EventRecord
from git_sched.record.explanation import ExplanationRecord as ExplanationRecord
from git_sched.record.explanation import ReasonRecord as ReasonRecord
from git_sched.record.explanation import ScaleRecord as ScaleRecord
from git_sched.record.explanation import StepRecord as StepRecord
from git_sched.record.overview import CheckRecord as CheckRecord
from git_sched.record.overview import PolicyRecord as PolicyRecord
from git_sched.record.overview import PresetsRecord as PresetsRecord
from git_sched.record.overview import SourceRecord as SourceRecord
from git_sched.record.overview import StatusRecord as StatusRecord
from git_sched.record.parts import BasisRecord as BasisRecord
from git_sched.record.parts import CountsRecord as CountsRecord
from git_sched.record.parts import FactorRecord as FactorRecord
from git_sched.record.parts import HeldRecord as HeldRecord
from git_sched.record.parts import HistoryRecord as HistoryRecord
from git_sched.record.parts import InputRecord as InputRecord
from git_sched.record.parts import MergeQueueRecord as MergeQueueRecord
from git_sched.record.parts import PolicyRef as PolicyRef
from git_sched.record.parts import ProblemRecord as ProblemRecord
from git_sched.record.parts import PublishRecord as PublishRecord
from git_sched.record.parts import RankedRecord as RankedRecord
from git_sched.record.parts import RequestRecord as RequestRecord
from git_sched.record.parts import RunningRecord as RunningRecord
from git_sched.record.parts import SignalsRecord as SignalsRecord
from git_sched.record.parts import WaitingRecord as WaitingRecord
from git_sched.record.parts import WorktreeRecord as WorktreeRecord
from git_sched.record.parts import WorktreesRecord as WorktreesRecord
from git_sched.record.plan import HandoffRecord as HandoffRecord
from git_sched.record.plan import InstallRecord as InstallRecord
from git_sched.record.plan import PlanRecord as PlanRecord
from git_sched.record.verification import VerificationRecord as VerificationRecord
from git_sched.record.verification import VerifiedRowRecord as VerifiedRowRecord
from git_sched.record.view import ViewEdgeRecord as ViewEdgeRecord
from git_sched.record.view import ViewNodeRecord as ViewNodeRecord
from git_sched.record.view import ViewRecord as ViewRecord
