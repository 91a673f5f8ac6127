from __future__ import annotations

import math
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from urllib.parse import urlsplit

import pytest
from conftest import recorded

from mneme_client import Memory, MnemeError, recorder
from mneme_client.graphql.client import Client
from mneme_client.graphql.input_types import RecordObservationInput
from mneme_client.lessons import block
from mneme_client.server import RemoteServer

TASK = "A customer wants a refund"


class Odd:
    def __repr__(self) -> str:
        return "an odd object"


class Worse:
    def __repr__(self) -> str:
        raise RuntimeError("not even that")


def test_whatever_is_handed_over_is_recorded(memory: Memory) -> None:
    deep: list[object] = []
    for _ in range(100):
        deep = [deep]
    round_: list[object] = []
    round_.append(round_)
    values = [
        (Odd(), "an odd object"),
        (
            {1: {"b"}, "when": datetime(2026, 3, 1, tzinfo=timezone.utc)},
            {"1": ["b"], "when": "2026-03-01T00:00:00Z"},
        ),
        ([math.nan, math.inf, 1.5], ["NaN", "Infinity", 1.5]),
        ("half a pair: \ud83d", "half a pair: ?"),
        (b"\xff\x00", "_wA="),
        (deep, "[" * 100 + "[]" + "]" * 100),
    ]
    with memory.episode(TASK, agent="support") as e:
        for value, _ in values:
            e.step("tool", result=value)
        e.step("tool", result=round_)
        e.step("tool", result=Worse())
        e.step("tool", result="a" * 200_000)
    results = [action.result for action in recorded(memory, e.id).actions]
    assert results[: len(values)] == [told for _, told in values]
    assert isinstance(results[-3], str)
    assert results[-2] == "Worse that cannot be read"
    assert str(results[-1]).endswith("a… (200000 bytes, cut off)")
    assert len(str(results[-1])) < 65536


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Counter[str | None]:
    counted: Counter[str | None] = Counter()
    execute = Client.execute

    def counting(
        self: Client, query: str, operation_name: str | None = None, *args: object, **kwargs: object
    ) -> object:
        counted[operation_name] += 1
        return execute(self, query, operation_name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Client, "execute", counting)
    return counted


def test_steps_go_together(memory: Memory, requests: Counter[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "GATHER", 60)
    with memory.episode(TASK, agent="support", recall=False) as e:
        for i in range(1200):
            e.step(f"step {i}")
    assert requests == {"CaptureRun": 3, "ConcludeEpisode": 1}
    assert len(recorded(memory, e.id).actions) == 1000
    monkeypatch.setattr(recorder, "GATHER", 0.01)


@contextmanager
def forgetful_proxy(url: str, forgets: int, says: bytes = b"") -> Iterator[str]:
    """Passes on requests, but not the first answers: the server has recorded what its caller does not know of.

    The caller gets `says` instead.
    """
    target = (urlsplit(url).hostname or "", urlsplit(url).port or 0)
    listener = socket.create_server(("127.0.0.1", 0))
    left = [forgets]

    def serve() -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller, socket.create_connection(target) as server:
                request = b""
                while not whole(request):
                    if not (got := caller.recv(65536)):
                        break
                    request += got
                server.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                answer = b""
                while got := server.recv(65536):
                    answer += got
                if left[0]:
                    left[0] -= 1
                    caller.sendall(says)
                    continue
                caller.sendall(answer)

    def whole(request: bytes) -> bool:
        head, _, body = request.partition(b"\r\n\r\n")
        length = next((line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), b":0")
        return len(body) >= int(length.partition(b":")[2]) and b"\r\n\r\n" in request

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield "http://{}:{}".format(*listener.getsockname())
    finally:
        listener.close()


TOO_MANY = b'{"errors": [{"message": "one too many", "extensions": {"code": "LIMIT_EXCEEDED"}}]}'


@pytest.mark.parametrize(
    "says",
    [
        b"",
        b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy",
        b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: %d\r\n\r\n%s" % (len(TOO_MANY), TOO_MANY),
    ],
    ids=["nothing", "503", "429"],
)
def test_what_is_sent_again_is_recorded_once(memory: Memory, says: bytes) -> None:
    url, key = memory._server.address()
    with forgetful_proxy(url, 3, says) as proxy, Memory(server=RemoteServer(proxy, key), timeout=10) as agent:
        with agent.episode(TASK, agent="support", recall=False) as e:
            e.step("once")
            assert agent.flush(30)
            e.step("twice")
        e.feedback(True)
        assert agent.flush(30)
    episode = recorded(memory, e.id)
    assert [action.step_name for action in episode.actions] == ["once", "twice"]
    assert episode.aggregate_feedback_score == 1


def test_what_is_refused_does_not_keep_others_out(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    url, key = memory._server.address()
    with Memory(server=RemoteServer(url, key)) as agent:
        with agent.episode(TASK, agent="bad\nname", recall=False) as bad:
            for i in range(3):
                bad.step(f"step {i}")
        with agent.episode(TASK, agent="support", recall=False) as good:
            pass
        assert agent.flush()
    assert len([line for line in caplog.records if line.levelname == "WARNING"]) == 1
    assert recorded(memory, good.id)
    with memory.client() as client:
        assert client.episode(bad.id) is None


def test_strict_raises_what_is_refused(memory: Memory) -> None:
    with pytest.raises(MnemeError) as raised, memory.episode(TASK, agent="bad\nname", recall=False):
        pass
    assert (raised.value.code, raised.value.field) == ("INVALID_INPUT", "agentId")


def test_what_waits_for_a_server_is_bounded(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(recorder, "HELD_BYTES", 100_000)
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1") as memory:
        for i in range(200):
            with memory.episode(TASK, agent="support", recall=False) as e:
                e.step("read", result="a" * 100 * i)
            e.feedback(True)
            held = memory._recorder._held
            assert 0 < held <= 100_000
            assert held == sum(job.bytes for job in memory._recorder._jobs)
    assert caplog.text.count("too much waits") == 1


async def test_what_was_noticed_is_kept_once_and_found(memory: Memory) -> None:
    def noticed(id: str, content: str) -> RecordObservationInput:
        return RecordObservationInput(id=id, content=content)

    memory.observe([noticed("o1", "The bank closes at noon"), noticed("o2", block("The bank is old", 100))])
    memory.observe([noticed("o1", "The bank closes at night"), *(noticed(f"p{i}", f"page {i}") for i in range(40))])
    (found,) = await memory.aobservations("When does the bank close?")
    assert (found.observation.id, found.observation.content) == ("observation:o1", "The bank closes at noon")
    assert len(await memory.aobservations("page", top_k=100)) == 40
    await memory.aforget_observation("o1")
    assert await memory.aobservations("When does the bank close?") == []
    with pytest.raises(MnemeError, match="NOT_FOUND"):
        await memory.aforget_observation("o1")


async def test_what_was_noticed_is_of_a_user(memory: Memory) -> None:
    ann, bob = memory.for_user("ann"), memory.for_user("bob")
    for id, whose in (("o1", ann), ("o2", bob), ("o3", memory)):
        whose.observe([RecordObservationInput(id=id, content=f"The bank closes at noon, {id}")])

    async def found(whose: Memory) -> set[str]:
        return {hit.observation.id[-2:] for hit in await whose.aobservations("When does the bank close?")}

    assert await found(ann) == {"o1"}
    assert await found(memory.for_user("ann", include_shared=True)) == {"o1", "o3"}
    assert await found(memory) == {"o1", "o2", "o3"}


def test_an_episode_may_have_the_name_of_the_caller(memory: Memory) -> None:
    with memory.episode(TASK, agent="support", id="run-7"):
        pass
    assert recorded(memory, "run-7").observation == TASK
