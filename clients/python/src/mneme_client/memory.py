"""The memory of agents: where it is, whose it is, and what is asked of it."""

from __future__ import annotations

import asyncio
import atexit
import copy
import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import TypeVar, cast
from uuid import uuid4

from typing_extensions import Self

from .episode import Episode, NextStep
from .errors import MnemeError
from .graphql.async_client import AsyncClient
from .graphql.client import Client
from .graphql.enums import FeedbackType
from .graphql.input_types import (
    DeleteObservationInput,
    NextStepsInput,
    RecallInput,
    RecordObservationInput,
    RecordObservationsInput,
    SubmitFeedbackInput,
)
from .graphql.search_observations import SearchObservationsSearchObservationsNodes as Observed
from .lessons import FRAME, Lessons, recalled
from .link import Link
from .recorder import SEND_LIMIT, Recorder, Run
from .server import LocalServer, RemoteServer, Server
from .values import plain, text

F = TypeVar("F", bound=Callable[..., object])

EXIT_LIMIT = 5.0
"""Seconds that the end of the program may wait for records to be sent."""
OBSERVATIONS = 16
"""The most observations of one request: about a mebibyte."""


class Memory:
    """What agents recall from and record to.

    `timeout` is in seconds, for one question. An error is logged once and the agent goes on, unless the memory is
    `strict`: then it is raised. `max_tokens` is the budget of what is recalled for a prompt.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 2.0,
        max_tokens: int = 1000,
        strict: bool = False,
        server: Server | None = None,
    ) -> None:
        """Uses the server at `url`, by default MNEME_URL or http://127.0.0.1:8080, with `key` or MNEME_API_KEY."""
        url = url or os.environ.get("MNEME_URL") or "http://127.0.0.1:8080"
        self.timeout, self.max_tokens, self.strict = timeout, max_tokens, strict
        self.user: str | None = None
        self.include_shared = False
        self._server = server or RemoteServer(url, key or os.environ.get("MNEME_API_KEY"))
        self._link = Link(self._server, strict)
        self._recorder = Recorder(self._link)
        atexit.register(self.close)

    @classmethod
    def local(
        cls,
        data: str | os.PathLike[str] = "mneme-data",
        *,
        binary: str | None = None,
        timeout: float = 2.0,
        max_tokens: int = 1000,
        strict: bool = False,
    ) -> Self:
        """Starts `mneme serve` on a directory of data, as a child that ends with this process.

        The program is `binary`, MNEME_BINARY, that of the package mneme-db, or `mneme` of PATH.
        """
        server = LocalServer(data, binary)
        server.address()
        return cls(timeout=timeout, max_tokens=max_tokens, strict=strict, server=server)

    def for_user(self, user: str, *, include_shared: bool = False) -> Self:
        """The memory of one user: what is recorded is theirs, and only theirs is recalled.

        With `include_shared` what belongs to nobody is recalled, too.
        """
        view = copy.copy(self)
        view.user = "" if user is None else str(user)  # which is not everybody: the server refuses it
        view.include_shared = include_shared
        return view

    def episode(
        self,
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
    ) -> Episode:
        """A task to be done, for `with` and `async with`. `task` is the situation in words, as the agent meets it.

        With `record=False` it only recalls, where something else records, such as OpenTelemetry. `id` is the caller's
        own name for the run, by default a new one.
        """
        return Episode(
            self,
            task,
            agent=agent,
            task_type=task_type,
            session=session,
            metadata=metadata,
            recall=recall,
            record=record,
            max_tokens=max_tokens,
            id=id,
        )

    def remember(
        self, *, agent: str, task: Callable[..., str] | None = None, task_type: str | None = None
    ) -> Callable[[F], F]:
        """Makes each call of a function, or of a coroutine function, an episode: `current()` gives it.

        The task is what `task` makes of the arguments, by default the first that is a text. What the function returns
        is the result, unless it said one itself.
        """

        def wrap(function: F) -> F:
            if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
                raise TypeError("remember takes functions and coroutine functions; use `with memory.episode(…)`")

            def begin(*args: object, **kwargs: object) -> Episode:
                said = task(*args, **kwargs) if task else task_of(args, kwargs)
                return self.episode(said, agent=agent, task_type=task_type)

            if inspect.iscoroutinefunction(function):

                @functools.wraps(function)
                async def remembered_async(*args: object, **kwargs: object) -> object:
                    async with begin(*args, **kwargs) as episode:
                        return episode._returned(await function(*args, **kwargs))

                return cast(F, remembered_async)

            @functools.wraps(function)
            def remembered(*args: object, **kwargs: object) -> object:
                with begin(*args, **kwargs) as episode:
                    return episode._returned(function(*args, **kwargs))

            return cast(F, remembered)

        return wrap

    def recall(self, situation: str, *, max_tokens: int | None = None, top_k: int = 5) -> Lessons:
        """What past runs taught that matters in a situation; what this memory recorded before is among it."""
        room = self.max_tokens if max_tokens is None else max_tokens
        if room <= FRAME:
            return Lessons()
        began = monotonic()
        self._recorder.flush(self.timeout / 2, patient=False)
        with self._link.open():
            with self._link.client(self._left(began)) as client:
                answer = client.recall(self._recall_input(situation, top_k), room - FRAME)
            return recalled(answer.lessons, answer.hits, answer.cautions, room)
        return Lessons()

    async def arecall(self, situation: str, *, max_tokens: int | None = None, top_k: int = 5) -> Lessons:
        """`recall` without blocking the event loop."""
        room = self.max_tokens if max_tokens is None else max_tokens
        if room <= FRAME:
            return Lessons()
        began = monotonic()
        if not self._recorder.idle:
            await asyncio.to_thread(self._recorder.flush, self.timeout / 2, False)
        with self._link.open():
            async with self._link.async_client(self._left(began)) as client:
                answer = await client.recall(self._recall_input(situation, top_k), room - FRAME)
            return recalled(answer.lessons, answer.hits, answer.cautions, room)
        return Lessons()

    def feedback(
        self,
        episode_id: str,
        liked: bool | None = None,
        *,
        rating: int | None = None,
        comment: str | None = None,
        correction: str | None = None,
        by: str | None = None,
    ) -> None:
        """Records how a person took a run: liked or not, 1 to 5 stars, a comment, and what they would have had instead.

        A correction alone says that they did not like it.
        """
        if liked is None and rating is None:
            if comment is None and correction is None:
                raise TypeError("say whether it was liked, a rating, a comment or a correction")
            liked = correction is None
        kind = FeedbackType.RATING if liked is None else FeedbackType.THUMBS_UP if liked else FeedbackType.THUMBS_DOWN
        told = {
            "rating": rating,
            "comment": text(comment or ""),
            "corrections": text(correction or ""),
            "created_by": by or self.user,
        }
        input = SubmitFeedbackInput(
            id=str(uuid4()),
            episode_id=episode_id,
            type=kind,
            **{part: value for part, value in told.items() if value},
        )
        self._recorder.request(lambda client: client.submit_feedback(input))

    def observe(self, observations: Sequence[RecordObservationInput]) -> None:
        """Keeps what was noticed, in the background. What is kept under an id already stays as it is."""
        whose = {"user_id": self.user} if self.user is not None else {}
        said = [told.model_copy(update={"content": text(told.content), **whose}) for told in observations]
        said = [told for told in said if told.content.strip()]
        for start in range(0, len(said), OBSERVATIONS):
            input = RecordObservationsInput(observations=said[start : start + OBSERVATIONS])
            self._recorder.request(functools.partial(keep, input=input))

    async def aobservations(self, query: str, *, top_k: int = 10) -> list[Observed]:
        """What was noticed that has to do with a question, best first."""
        await asyncio.to_thread(self._recorder.flush, self.timeout, False)
        with self._link.open():
            async with self._link.async_client(self.timeout) as client:
                whose = (self.user, self.include_shared) if self.user is not None else ()
                return (await client.search_observations(text(query), top_k, *whose)).nodes
        return []

    async def aforget_observation(self, id: str) -> None:
        """Deletes what was noticed. It raises where that fails."""
        await asyncio.to_thread(self._recorder.flush, self.timeout, False)
        async with self.async_client() as client:
            await client.delete_observation(DeleteObservationInput(id=id))

    def flush(self, timeout: float = 10.0) -> bool:
        """Waits until all is recorded; false where that takes longer than `timeout` seconds."""
        return self._recorder.flush(timeout)

    async def aflush(self, timeout: float = 10.0) -> bool:
        """`flush` without blocking the event loop."""
        return await asyncio.to_thread(self._recorder.flush, timeout)

    def client(self) -> Client:
        """A client of the whole API, to be closed after use."""
        return self._link.client(SEND_LIMIT)

    def async_client(self) -> AsyncClient:
        """An async client of the whole API, to be closed after use."""
        return self._link.async_client(SEND_LIMIT)

    def close(self) -> None:
        """Records what waits, for some seconds at most, and ends a local server; so does the end of the program."""
        atexit.unregister(self.close)
        self._recorder.close(EXIT_LIMIT)
        self._server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _left(self, began: float) -> float:
        """What is left of the time of a question, in seconds."""
        return self.timeout - (monotonic() - began)

    def _recall_input(self, situation: str, top_k: int) -> RecallInput:
        asked = RecallInput(situation=text(situation), top_k=top_k)
        if self.user is not None:
            asked.user_id, asked.include_shared = self.user, self.include_shared
        return asked

    def _next_steps(self, moment: NextStepsInput) -> list[NextStep]:
        with self._link.open(), self._link.client(self.timeout) as client:
            return client.next_steps(moment)
        return []

    async def _anext_steps(self, moment: NextStepsInput) -> list[NextStep]:
        with self._link.open():
            async with self._link.async_client(self.timeout) as client:
                return await client.next_steps(moment)
        return []

    def _settle(self, run: Run) -> None:
        """Of a strict memory waits until a run is recorded, and raises why it is not."""
        if self.strict:
            whole = self._recorder.flush(SEND_LIMIT)
            if run.error:
                raise run.error
            if not whole:
                raise MnemeError("the run is not recorded yet", "UNAVAILABLE")


def keep(client: Client, input: RecordObservationsInput) -> None:
    for error in client.record_observations(input).result.errors:
        if error.code != "CONFLICT":
            raise MnemeError(error.message, error.code, error.field)


def task_of(args: tuple[object, ...], kwargs: Mapping[str, object]) -> str:
    """The task of a call: its first argument that is a text, else all of them."""
    values = [*args, *kwargs.values()]
    said = next((value for value in values if isinstance(value, str) and value.strip()), None)
    return said if said is not None else text(plain(values))
