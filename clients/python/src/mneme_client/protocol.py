"""GraphQL over HTTP and server-sent events, apart from who sends it: sync or async."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import httpx
from pydantic import BaseModel
from pydantic_core import to_json

from .errors import MnemeError


def headers_of(key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return headers


def body(query: str, operation_name: str | None, variables: dict[str, Any] | None) -> bytes:
    """The request as JSON. Of inputs only what was set is sent, so that the server's defaults hold."""
    return to_json(
        {
            "query": query,
            "operationName": operation_name,
            "variables": {
                name: value.model_dump(by_alias=True, exclude_unset=True) if isinstance(value, BaseModel) else value
                for name, value in (variables or {}).items()
                if not is_unset(value)
            },
        },
        inf_nan_mode="strings",
    )


def is_unset(value: object) -> bool:
    return type(value).__name__ == "UnsetType"


def data_of(response: httpx.Response) -> dict[str, Any]:
    """The data of an answer; its first error is raised."""
    try:
        return data_in(json.loads(response.content), response.status_code)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        code = "UNAVAILABLE" if response.status_code >= 500 or response.status_code == 429 else "INTERNAL"
        said = response.text[:200].strip()
        raise MnemeError(f"HTTP {response.status_code} without an answer: {said}", code) from error


def data_in(answer: dict[str, Any], status: int) -> dict[str, Any]:
    errors = answer.get("errors")
    if errors:
        said = errors[0]
        extensions = said.get("extensions") or {}
        raise MnemeError(said["message"], extensions.get("code", "INTERNAL"), extensions.get("field"), status)
    return cast(dict[str, Any], answer["data"])


def unreachable(url: str, error: httpx.HTTPError) -> MnemeError:
    said = str(error) or type(error).__name__
    return MnemeError(f"mneme does not answer at {url}: {said}", "UNAVAILABLE")


class Events:
    """Reads server-sent events line by line."""

    def __init__(self, response: httpx.Response) -> None:
        self.complete = False
        self._event = ""
        self._data: list[str] = []
        if response.headers.get("content-type", "").partition(";")[0] != "text/event-stream":
            raise MnemeError(f"HTTP {response.status_code} instead of an event stream", "UNAVAILABLE")

    def read(self, line: str) -> Iterator[dict[str, Any]]:
        """Takes a line, and yields the data of an event that it ends."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            event, data = self._event, "\n".join(self._data)
            self._event, self._data = "", []
            self.complete = self.complete or event == "complete"
            if event == "next":
                yield data_in(json.loads(data), 200)
