"""One task of an agent: what it recalls before, records meanwhile, and concludes at the end."""

from __future__ import annotations

import contextvars
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from typing_extensions import Self

from .graphql.enums import Outcome
from .graphql.input_types import ConcludeEpisodeInput, EpisodeFilter, EventInput, NextStepsInput
from .graphql.next_steps import NextStepsNextSteps
from .lessons import Lessons
from .recorder import Run
from .values import fault, plain, text

if TYPE_CHECKING:
    from .memory import Memory

NextStep = NextStepsNextSteps
R = TypeVar("R")

_current: contextvars.ContextVar[Episode | None] = contextvars.ContextVar("mneme_episode", default=None)


def current() -> Episode | None:
    """The episode whose `with` block, or whose remembered function, this is called in."""
    return _current.get()


def name_on_span(informed_by: Sequence[str]) -> None:
    """Tells OpenTelemetry's current span, where there is one, which runs it goes by."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace and informed_by:
        trace.get_current_span().set_attribute("mneme.informed_by", informed_by)


class Episode:
    """A task of an agent, made by `Memory.episode`.

    As a context manager it recalls when it is entered, and concludes when it is left: an exception is a FAILURE with
    its text, anything else a SUCCESS. `begin`, `abegin` and `end` do the same where there is no block.
    """

    def __init__(
        self,
        memory: Memory,
        task: str,
        *,
        agent: str,
        task_type: str | None = None,
        session: str | None = None,
        metadata: Mapping[str, object] | None = None,
        recall: bool = True,
        record: bool = True,
        max_tokens: int | None = None,
        id: str | None = None,
    ) -> None:
        self.id = id or str(uuid4())
        """The key that it is recorded under."""
        self.task = text(task)
        self.recalled = Lessons()
        """What was recalled when it began."""
        self._memory = memory
        self._recalls, self._records, self._max_tokens = recall, record, max_tokens
        self._run = Run(self.id, agent, task_type, session, memory.user, plain(dict(metadata)) if metadata else None)
        self._steps: list[str] = []
        self._last_step: str | None = None
        self._end: dict[str, object] | None = None
        self._over = False
        self._began, self._clock = datetime.now(timezone.utc), monotonic()
        self._token: contextvars.Token[Episode | None] | None = None

    @property
    def lessons(self) -> str:
        """A block for the prompt with what past runs taught; empty where there is nothing.

        Where the episode is not recorded, reading it names those runs on OpenTelemetry's current span: what records the
        span credits them.
        """
        if not self._records:
            name_on_span(self.recalled.episode_ids)
        return self.recalled.text

    @property
    def concluded(self) -> bool:
        """Whether it was said how it ended."""
        return self._end is not None

    def begin(self) -> Self:
        """Recalls, and opens the record."""
        if self._recalls:
            self.recalled = self._memory.recall(self.task, max_tokens=self._max_tokens)
        return self._opened()

    async def abegin(self) -> Self:
        """`begin` without blocking the event loop."""
        if self._recalls:
            self.recalled = await self._memory.arecall(self.task, max_tokens=self._max_tokens)
        return self._opened()

    def _opened(self) -> Self:
        self._run.informed_by = self.recalled.episode_ids
        self._event("workflow_started", {"args": self.task})
        return self

    def thought(self, thought: str) -> None:
        """Records what the agent thinks."""
        if said := text(thought).strip():
            self._event("agent_thought", {"thought": said})

    def step(
        self, name: str, *, arguments: object = None, result: object = None, error: object = None, id: str | None = None
    ) -> None:
        """Records what the agent did and what came of it. `id` is the caller's own name for the step."""
        came = plain(result)
        if arguments is not None or error is not None:
            told = {"arguments": plain(arguments), "result": came}
            told["error"] = fault(error) if isinstance(error, BaseException) else plain(error)
            came = {part: value for part, value in told.items() if value is not None}
        self._steps.append(name)
        self._last_step = f"{name}: {text(came)}" if came is not None else name
        self._event("step_completed", {"step_name": name, "result": came, **({"step_id": id} if id else {})})

    def succeeded(self, result: object = None, *, insight: str | None = None, quality: float | None = None) -> None:
        """Says that the task is done, how, why it worked, and how good it is (0 to 1). The last word counts."""
        self._conclude(Outcome.SUCCESS, result, insight, quality)

    def partial(self, result: object = None, *, insight: str | None = None, quality: float = 0.5) -> None:
        """Says that the task is done in part: a SUCCESS of half the quality."""
        self._conclude(Outcome.SUCCESS, result, insight, quality)

    def failed(self, result: object = None, *, insight: str | None = None, quality: float | None = None) -> None:
        """Says that the task is not done, and what went wrong: a text or an exception."""
        self._conclude(Outcome.FAILURE, result, insight, quality)

    def _conclude(self, outcome: Outcome, result: object, insight: str | None, quality: float | None) -> None:
        said = (
            fault(result) if isinstance(result, BaseException) else text(plain(result)) if result is not None else None
        )
        told = {"result": said or None, "insight": text(insight) if insight else None, "quality": quality}
        self._end = {"outcome": outcome, **{part: value for part, value in told.items() if value is not None}}

    def end(self, error: BaseException | None = None) -> None:
        """Concludes the record, once. It does not block, unless the memory is strict.

        An exception is a FAILURE. What only interrupts (cancellation, Ctrl-C) leaves the run open: nobody knows how it
        would have ended.
        """
        if self._over:
            return
        self._over = True
        if isinstance(error, Exception):
            self.failed(error)
        elif error is not None:
            self._event("workflow_interrupted", {"by": fault(error)})
            return
        elif self._end is None:
            self.succeeded()
        if self._records and self._end:
            input = ConcludeEpisodeInput(id=self.id, ended_at=self._now(), **self._end)
            self._memory._recorder.conclude(self._run, input)
            self._memory._settle(self._run)

    def feedback(
        self,
        liked: bool | None = None,
        *,
        rating: int | None = None,
        comment: str | None = None,
        correction: str | None = None,
        by: str | None = None,
    ) -> None:
        """Records how a person took the work. See `Memory.feedback`."""
        self._memory.feedback(self.id, liked, rating=rating, comment=comment, correction=correction, by=by)

    def next_steps(self, top_k: int = 5) -> list[NextStep]:
        """What past runs did next at a moment like this, the most telling first."""
        return self._memory._next_steps(self._moment(top_k))

    async def anext_steps(self, top_k: int = 5) -> list[NextStep]:
        """`next_steps` without blocking the event loop."""
        return await self._memory._anext_steps(self._moment(top_k))

    def _moment(self, top_k: int) -> NextStepsInput:
        moment = NextStepsInput(situation=self.task, top_k=top_k)
        if self._memory.user is not None:
            moment.filter_ = EpisodeFilter(user_id=self._memory.user, include_shared=self._memory.include_shared)
        if self._steps:
            moment.last_step, moment.steps_so_far = self._last_step, self._steps[-1000:]
        return moment

    def _event(self, type: str, data: dict[str, object]) -> None:
        if self._records:
            self._memory._recorder.event(self._run, EventInput(type_=type, data=data, at=self._now()))

    def _now(self) -> datetime:
        """Now, by a clock that does not go back: the log is read in the order of its times."""
        return self._began + timedelta(seconds=monotonic() - self._clock)

    def __enter__(self) -> Self:
        self.begin()
        self._token = _current.set(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._token:
            _current.reset(self._token)
        self.end(error)

    async def __aenter__(self) -> Self:
        await self.abegin()
        self._token = _current.set(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._token:
            _current.reset(self._token)
        self.end(error)

    def _returned(self, value: R) -> R:
        """Takes what a remembered function returns as the result, unless it said how it ended."""
        if not self.concluded:
            self.succeeded(value)
        return value
