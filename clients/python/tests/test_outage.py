from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from pathlib import Path
from time import monotonic

import pytest
from conftest import recorded

from mneme_client import Memory, MnemeError
from mneme_client.server import find_binary

TASK = "A customer wants a refund"


def kill_server(memory: Memory) -> None:
    pid = memory._server.pid  # type: ignore[attr-defined]
    os.kill(pid, signal.SIGKILL)


def test_a_killed_server_loses_nothing_and_the_agent_goes_on(tmp_path: Path) -> None:
    with Memory.local(tmp_path) as memory, memory.episode(TASK, agent="support") as e:
        for i in range(30):
            if i in (10, 20):
                kill_server(memory)
            if i % 7 == 0:
                assert memory.flush(30)  # acknowledged
            e.step(f"step {i}")
            e.next_steps()
        memory.flush(30)
        e.succeeded("Done")
        e.end()
        assert [action.step_name for action in recorded(memory, e.id).actions] == [f"step {i}" for i in range(30)]


def test_what_was_acknowledged_is_there_for_the_next_process(tmp_path: Path) -> None:
    with Memory.local(tmp_path) as memory:
        with memory.episode(TASK, agent="support") as e:
            e.step("look")
        assert memory.flush()
        kill_server(memory)
    with Memory.local(tmp_path) as memory, memory.episode(TASK, agent="support") as again:
        assert e.id in again.lessons


def test_without_a_server_the_agent_goes_on_with_one_warning(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    caplog.set_level(logging.INFO)
    with Memory("http://127.0.0.1:1") as memory:
        for _ in range(3):
            with memory.episode(TASK, agent="support") as e:
                assert e.lessons == ""
                e.step("look")
                assert e.next_steps() == []
            e.feedback(True)
        assert not memory.flush(0.5)
    warnings = [line.message for line in caplog.records if line.levelno == logging.WARNING]
    assert len(warnings) == 2, warnings
    assert warnings[0].startswith("The agent goes on without its memory: UNAVAILABLE: mneme does not answer at")
    assert warnings[1] == "9 requests with records did not reach mneme."


@pytest.fixture
def silent_server() -> str:
    """Takes connections and never answers."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    silent.append(listener)
    return "http://{}:{}".format(*listener.getsockname())


silent: list[socket.socket] = []


def test_a_silent_server_takes_no_more_than_the_limit(silent_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    began = monotonic()
    with Memory(silent_server, timeout=0.4) as memory:
        for _ in range(3):
            with memory.episode(TASK, agent="support") as e:
                assert e.lessons == ""
    assert monotonic() - began < 5  # of the server's answer nobody knows when it comes


async def test_the_event_loop_is_not_blocked_meanwhile(silent_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    turning = asyncio.create_task(turn())
    with Memory(silent_server, timeout=0.5) as memory:
        async with memory.episode(TASK, agent="support") as e:
            assert e.lessons == ""
            seen = turns
    turning.cancel()
    assert seen > 5


def test_the_memory_comes_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with Memory.local(tmp_path / "data") as there:
        url, key = there._server.address()
        port = int(url.rpartition(":")[2])
        listener = socket.create_server(("127.0.0.1", 0))
        free = listener.getsockname()[1]
        listener.close()
        with Memory(f"http://127.0.0.1:{free}", key=key) as memory:
            with memory.episode(TASK, agent="support") as e:
                e.step("look")
            assert not memory.flush(0.3)
            memory._server._address = memory._server._address._replace(url=url)  # type: ignore[attr-defined]
            assert port
            assert memory.flush(30)
        assert recorded(there, e.id).actions[0].step_name == "look"
    assert [line.message for line in caplog.records if line.name == "mneme_client"][1:] == ["The memory is back."]


def test_strict_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mneme_client.memory.EXIT_LIMIT", 0.1)
    with Memory("http://127.0.0.1:1", strict=True) as memory:
        with pytest.raises(MnemeError) as raised, memory.episode(TASK, agent="support"):
            pytest.fail("the block must not be entered")
        assert raised.value.code == "UNAVAILABLE"


def test_a_wrong_key_is_told(tmp_path: Path) -> None:
    with Memory.local(tmp_path) as there:
        url = there._server.address().url
        with Memory(url, key="another", strict=True) as memory, pytest.raises(MnemeError, match="UNAUTHENTICATED"):
            memory.recall(TASK)


def test_a_missing_program_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MNEME_BINARY", str(tmp_path / "none"))
    with pytest.raises(MnemeError, match="MNEME_BINARY names"):
        Memory.local(tmp_path)
    monkeypatch.delenv("MNEME_BINARY")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MnemeError, match="no mneme on PATH"):
        Memory.local(tmp_path)


def test_the_program_of_mneme_db_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "mneme"
    (tmp_path / "mneme_db.py").write_text(f"def program():\n    return {str(program)!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MNEME_BINARY", raising=False)
    assert find_binary() == str(program)


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a directory")
    with pytest.raises(MnemeError, match=r"does not start: .*file"):
        Memory.local(file)


def test_proxies_are_for_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Memory.local(tmp_path, strict=True) as memory, memory.episode(TASK, agent="support"):
        pass
