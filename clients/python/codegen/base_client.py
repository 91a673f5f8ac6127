"""The transport of the generated client. `make python-generate` copies this file beside it."""

from __future__ import annotations

from typing import Any

import httpx
from typing_extensions import Self

from ..protocol import body, data_of, headers_of, unreachable


class BaseClient:
    """Sends GraphQL documents to `url`, the whole address with `/graphql`.

    `timeout` is in seconds. Errors are `MnemeError`, with the API's code.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        timeout: float = 10.0,
        http_client: httpx.Client | None = None,
    ) -> None:
        self.url = url
        self.timeout = timeout
        self.headers = headers_of(key)
        self.http_client = http_client or httpx.Client()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.http_client.close()

    def execute(
        self,
        query: str,
        operation_name: str | None = None,
        variables: dict[str, Any] | None = None,
        **options: Any,
    ) -> httpx.Response:
        """Sends any document, also one that has no method here. Read the answer with `get_data`."""
        try:
            return self.http_client.post(
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
