"""Records in the background: in batches, again and again until the server has it, and in order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .errors import MnemeError
from .graphql.client import Client
from .graphql.input_types import CaptureRunInput, ConcludeEpisodeInput, EventInput
from .link import Link, log
from .values import size

GATHER = 0.2
"""Seconds that a record waits for others to go with it."""
SEND_LIMIT = 10.0
"""Seconds that a request may take."""
LONGEST_PAUSE = 5.0
"""The most seconds between two tries."""
PART_EVENTS, PART_BYTES = 500, 1 << 20
"""The most events and bytes of one request."""
OVERHEAD = 1024
"""About the bytes that a request, and an event, takes beside its data."""
HELD_BYTES = 64 << 20
"""The most bytes that wait for a server; what comes beyond is lost, with a warning."""


@dataclass
class Run:
    """What is said of a run in each request."""

    id: str
    agent: str
    task_type: str | None = None
    session: str | None = None
    user: str | None = None
    metadata: dict[str, object] | None = None
    informed_by: tuple[str, ...] = ()
    error: Exception | None = None
    """Why it is not recorded any further."""
    events: int = 0
    part: Job | None = None
    """The part that takes its next event."""

    def input(self, events: list[EventInput]) -> CaptureRunInput:
        told: dict[str, object] = {
            "workflow_name": self.task_type,
            "session_id": self.session,
            "user_id": self.user,
            "metadata": self.metadata,
            "informed_by": list(self.informed_by) or None,
        }
        return CaptureRunInput(
            run_id=self.id,
            agent_id=self.agent,
            append=True,
            events=events,
            **{name: value for name, value in told.items() if value is not None},
        )


@dataclass(eq=False)
class Job:
    """One request: what sends it, the run that it is of, and for a part of a log its events."""

    send: Callable[[Client], object]
    run: Run | None = None
    events: list[EventInput] = field(default_factory=list)
    bytes: int = 0


class Recorder:
    """A queue of requests and a thread that sends them. The client makes the ids: a request sent again is the same."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._jobs: deque[Job] = deque()
        self._held = 0
        self._added = self._done = self._wanted = 0
        self._pause = 0.0
        self._closed = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def event(self, run: Run, event: EventInput) -> None:
        """Adds to the log of a run. Its place in the log is given here."""
        with self._changed:
            if run.error:
                return
            event.sequence = run.events
            run.events += 1
            length = size(event.data) + OVERHEAD
            part = run.part
            if part is None or len(part.events) >= PART_EVENTS or part.bytes + length > PART_BYTES:
                events: list[EventInput] = []
                run.part = part = Job(lambda client: client.capture_run(run.input(events)), run, events)
                self._add(part)
            if not run.error:
                part.events.append(event)
                self._hold(part, length)

    def conclude(self, run: Run, end: ConcludeEpisodeInput) -> None:
        with self._changed:
            if not run.error:
                self._add(Job(lambda client: client.conclude_episode(end), run))

    def request(self, send: Callable[[Client], object]) -> None:
        """Adds a request that is of no run."""
        with self._changed:
            self._add(Job(send))

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be recorded."""
        return self._done >= self._added

    def flush(self, timeout: float, patient: bool = True) -> bool:
        """Waits until what was added is recorded, and says whether it is; for a lost server only with patience."""
        with self._changed:
            wanted = self._wanted = self._added
            self._changed.notify_all()

            def over() -> bool:
                return self._done >= wanted or (not patient and self._pause > 0)

            self._changed.wait_for(over, timeout)
            return self._done >= wanted

    def close(self, timeout: float) -> None:
        """Records what waits, for as long as `timeout` seconds, and warns where that was not enough."""
        if not self.flush(timeout):
            log.warning("%d requests with records did not reach mneme.", len(self._jobs))
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _add(self, job: Job) -> None:
        if self._closed:
            self._link.failed(MnemeError("the memory is closed", "CLOSED"))
            return
        self._jobs.append(job)
        self._added += 1
        self._hold(job, OVERHEAD)
        if self._thread is None or not self._thread.is_alive():  # also in the child of a fork
            self._thread = threading.Thread(target=self._work, name="mneme-recorder", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _hold(self, job: Job, length: int) -> None:
        job.bytes += length
        self._held += length
        if self._held > HELD_BYTES:
            self._leave_out(job, MnemeError("too much waits to be recorded", "LIMIT_EXCEEDED"))

    def _work(self) -> None:
        while self._gather():
            job = None
            try:
                with self._link.client(SEND_LIMIT) as client:
                    for _ in range(len(self._jobs)):
                        if job := self._next():
                            job.send(client)
                            self._sent(job)
            except Exception as error:
                self._failed(job, error)

    def _gather(self) -> bool:
        """Waits for something to send, and a little for more of it; says whether there is something."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._closed)
            self._changed.wait_for(lambda: self._wanted > self._done or self._closed, self._pause or GATHER)
            return bool(self._jobs) and not (self._closed and self._pause)

    def _next(self) -> Job | None:
        with self._changed:
            job = self._jobs[0] if self._jobs else None
            if job and job.run and job.run.part is job:
                job.run.part = None  # what is on its way takes no more
            return job

    def _sent(self, job: Job) -> None:
        with self._changed:
            self._remove([job])
            self._pause = 0.0
        self._link.worked()

    def _failed(self, job: Job | None, error: Exception) -> None:
        with self._changed:
            if job and not (isinstance(error, MnemeError) and error.retryable):
                self._leave_out(job, error)
                return
            self._link.failed(error)
            self._pause = min(LONGEST_PAUSE, max(0.1, 2 * self._pause))
            self._wanted = 0  # who waits for it waits for the next try
            self._changed.notify_all()

    def _leave_out(self, job: Job, error: Exception) -> None:
        """Leaves out a request, and the rest of its run: a log that lacks events cannot be concluded."""
        self._link.failed(error)
        if job.run:
            job.run.error = error
        self._remove([other for other in self._jobs if other is job or (job.run and other.run is job.run)])

    def _remove(self, jobs: list[Job]) -> None:
        for job in jobs:
            if job in self._jobs:  # it may have been left out on its way
                self._jobs.remove(job)
                self._held -= job.bytes
                self._done += 1
        self._changed.notify_all()
