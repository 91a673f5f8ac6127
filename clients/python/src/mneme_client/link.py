"""The way to the server: clients that know where it is, and a warning where there is no way."""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import httpx

from .errors import MnemeError
from .graphql.async_client import AsyncClient
from .graphql.client import Client
from .server import Server

log = logging.getLogger("mneme_client")


class Link:
    """Makes clients. Each is closed after use, so that none outlives an event loop, a fork or an address."""

    def __init__(self, server: Server, strict: bool) -> None:
        self.server = server
        self.strict = strict
        self._told: set[str] = set()
        self._lock = threading.Lock()

    def client(self, timeout: float) -> Client:
        url, key = self.server.address()
        http = httpx.Client(verify=self._certificates, trust_env=not is_local(url))
        return Client(url + "/graphql", key, timeout, http)

    def async_client(self, timeout: float) -> AsyncClient:
        url, key = self.server.address()
        http = httpx.AsyncClient(verify=self._certificates, trust_env=not is_local(url))
        return AsyncClient(url + "/graphql", key, timeout, http)

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()

    @contextmanager
    def open(self) -> Iterator[None]:
        """Runs what needs the server. It fails open: an error is told, not raised, unless the memory is strict."""
        try:
            yield
        except Exception as error:
            if self.strict:
                raise
            self.failed(error)
        else:
            self.worked()

    def failed(self, error: Exception) -> None:
        """Warns, once until it works again."""
        code = error.code if isinstance(error, MnemeError) else type(error).__name__
        with self._lock:
            known = code in self._told
            self._told.add(code)
        if not known:
            log.warning("The agent goes on without its memory: %s", error)

    def worked(self) -> None:
        with self._lock:
            back = "UNAVAILABLE" in self._told
            self._told.discard("UNAVAILABLE")
        if back:
            log.info("The memory is back.")


def is_local(url: str) -> bool:
    """Whether an address is on this machine, where no proxy of the environment leads."""
    host = httpx.URL(url).host
    return host in ("localhost", "::1") or host.startswith("127.")
