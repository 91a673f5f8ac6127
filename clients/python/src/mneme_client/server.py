"""Where mneme is: at an address, or as a child of this process."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from .errors import MnemeError

log = logging.getLogger(__name__)

START_LIMIT = 30.0
"""Seconds that a server may take until it answers."""


class Address(NamedTuple):
    """Where a server is, and the key that it wants."""

    url: str
    key: str | None


class Server(Protocol):
    """What a memory asks for its server."""

    def address(self) -> Address: ...
    def stop(self) -> None: ...


class RemoteServer:
    """A server that somebody else runs."""

    def __init__(self, url: str, key: str | None) -> None:
        self._address = Address(url.rstrip("/"), key)

    def address(self) -> Address:
        return self._address

    def stop(self) -> None:
        pass


class LocalServer:
    """`mneme serve` as a child. It ends with this process, and is started again when it is gone.

    Several processes may have servers with the same data.
    """

    def __init__(self, data: str | os.PathLike[str], binary: str | None = None) -> None:
        self.data = Path(data)
        self.binary = binary or find_binary()
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._address = Address("", None)
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The process of the server; None before it was started."""
        return self._child.pid if self._child else None

    def address(self) -> Address:
        with self._lock:
            if self._child is None or self._child.poll() is not None:
                self._start()
            return self._address

    def _start(self) -> None:
        if self._stopped:
            raise MnemeError("the memory is closed", "UNAVAILABLE")
        with tempfile.TemporaryDirectory(prefix="mneme-") as folder:
            ready = Path(folder, "ready")
            self._child = subprocess.Popen(
                [
                    *(self.binary, "serve", "--listen=127.0.0.1:0", f"--data={self.data}"),
                    *("--exit-with-parent", "--ready-key", f"--ready-file={ready}"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            said: deque[str] = deque(maxlen=20)
            reader = threading.Thread(target=forward, args=(self._child.stderr, said), daemon=True)
            reader.start()
            until = time.monotonic() + START_LIMIT
            while not ready.exists():
                if self._child.poll() is not None or time.monotonic() > until:
                    self._child.kill()
                    reader.join(1)
                    raise MnemeError(f"{self.binary} serve does not start: {' '.join(said)}", "UNAVAILABLE")
                time.sleep(0.01)
            told = json.loads(ready.read_text())
            self._address = Address(told["address"], told["key"])

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._child is None:
                return
            self._child.terminate()
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()


def forward(stream: IO[bytes] | None, last: deque[str]) -> None:
    """Hands what a server logs to the logger `mneme_client.server`, and keeps the last lines."""
    with stream or open(os.devnull, "rb") as lines:
        for line in lines:
            last.append(line.decode(errors="replace").strip())
            log.debug("%s", last[-1])


def find_binary() -> str:
    """The program: MNEME_BINARY, else that of the package mneme-db, else `mneme` of PATH."""
    named = os.environ.get("MNEME_BINARY")
    if not named and importlib.util.find_spec("mneme_db"):
        return str(importlib.import_module("mneme_db").program())
    found = shutil.which(named or "mneme")
    if found:
        return found
    if named:
        raise MnemeError(f"MNEME_BINARY names {named}, which cannot be run", "NOT_FOUND")
    raise MnemeError(
        "there is no mneme on PATH; install mneme-client[server], or set MNEME_BINARY to its file", "NOT_FOUND"
    )
