from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from conftest import events, recorded

from mneme_client import Memory
from mneme_client.graphql.enums import Outcome

TASK = "A customer wants a refund"

AGENT = """
import os, sys, time
from mneme_client import Memory
memory = Memory.local(sys.argv[1])
with memory.episode("A customer wants a refund", agent="support") as e:
    e.step("look")
    e.succeeded("Done")
print(e.id, memory._server.pid, flush=True)
{end}
"""


def agent(data: Path, end: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", AGENT.format(end=end), str(data)], stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> tuple[str, int]:
    assert process.stdout
    id, pid = process.stdout.readline().split()
    return id, int(pid)


def gone(pid: int) -> bool:
    """Whether a process ends, or has ended, within some seconds."""
    for _ in range(1000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_the_end_of_the_program_records_what_waits(tmp_path: Path) -> None:
    for end in ("", "sys.exit(3)", "raise ValueError"):
        process = agent(tmp_path, end)
        id, pid = told(process)
        process.communicate()
        assert gone(pid)
        with Memory.local(tmp_path) as memory:
            assert recorded(memory, id).result == "Done"


def test_no_server_outlives_a_killed_agent(tmp_path: Path) -> None:
    process = agent(tmp_path, "memory.flush(); print(flush=True); time.sleep(600)")
    id, pid = told(process)
    assert process.stdout
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert gone(pid)
    with Memory.local(tmp_path) as memory:
        assert recorded(memory, id).result == "Done"


def test_a_killed_run_leaves_what_was_done(tmp_path: Path) -> None:
    end = """
with memory.episode("A customer wants a lamp", agent="support") as e:
    e.step("look")
    memory.flush()
    print(e.id, flush=True)
    time.sleep(600)
"""
    process = agent(tmp_path, end)
    told(process)
    assert process.stdout
    id = process.stdout.readline().strip()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Memory.local(tmp_path) as memory:
        assert recorded(memory, id).outcome == Outcome.UNKNOWN
        assert [event["type"] for event in events(memory, id)] == ["workflow_started", "step_completed"]


def test_a_fork_records_too(tmp_path: Path) -> None:
    script = """
import os, sys, warnings
from mneme_client import Memory
warnings.simplefilter("ignore")
memory = Memory.local(sys.argv[1])
with memory.episode("Before the fork", agent="support"):
    pass
memory.flush()
child = os.fork()
if not child:
    with memory.episode("After the fork", agent="support") as e:
        pass
    print(e.id, memory.flush(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True, check=True)
    id, flushed = done.stdout.split()
    assert flushed == "True"
    with Memory.local(tmp_path) as memory:
        assert recorded(memory, id).observation == "After the fork"


def test_several_agents_share_a_directory(tmp_path: Path) -> None:
    with Memory.local(tmp_path) as one, Memory.local(tmp_path) as other:
        with one.episode(TASK, agent="support") as e:
            pass
        assert one.flush()
        assert e.id in other.recall(TASK).text
