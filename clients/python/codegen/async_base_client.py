"""The transport of the generated client. `make python-generate` copies this file beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
from typing_extensions import Self

from ..protocol import Events, body, data_of, headers_of, unreachable


class AsyncBaseClient:
    """Sends GraphQL documents to `url`, the whole address with `/graphql`.

    `timeout` is in seconds. Errors are `MnemeError`, with the API's code.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        timeout: float = 10.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self.url = url
        self.timeout = timeout
        self.headers = headers_of(key)
        self.http_client = http_client or httpx.AsyncClient()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self.http_client.aclose()

    async def execute(
        self,
        query: str,
        operation_name: str | None = None,
        variables: dict[str, Any] | None = None,
        **options: Any,
    ) -> httpx.Response:
        """Sends any document, also one that has no method here. Read the answer with `get_data`."""
        try:
            return await self.http_client.post(
                self.url,
                content=body(query, operation_name, variables),
                headers=self.headers,
                timeout=self.timeout,
                **options,
            )
        except httpx.HTTPError as error:
            raise unreachable(self.url, error) from error

    def get_data(self, response: httpx.Response) -> dict[str, Any]:
        return data_of(response)

    async def execute_ws(
        self,
        query: str,
        operation_name: str | None = None,
        variables: dict[str, Any] | None = None,
        **options: Any,
    ) -> AsyncIterator[dict[str, Any]]:
        """Subscribes by server-sent events, whatever the generator calls it. The server pings every 15 s."""
        request = self.http_client.stream(
            "POST",
            self.url,
            content=body(query, operation_name, variables),
            headers={**self.headers, "Accept": "text/event-stream"},
            timeout=httpx.Timeout(self.timeout, read=max(self.timeout, 45.0)),
            **options,
        )
        try:
            async with request as response:
                events = Events(response)
                async for line in response.aiter_lines():
                    for data in events.read(line):
                        yield data
                    if events.complete:
                        return
        except httpx.HTTPError as error:
            raise unreachable(self.url, error) from error
