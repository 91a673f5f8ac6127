"""What can go wrong between an agent and its memory."""

from __future__ import annotations


class MnemeError(Exception):
    """An answer that is an error, or none at all (`UNAVAILABLE`).

    `code` is one of docs/api.md, `field` the input at fault, such as `actions.3.stepName`. The same request may succeed
    later where it is `retryable`, as when it was one too many for now.
    """

    def __init__(self, message: str, code: str = "INTERNAL", field: str | None = None, status: int = 200) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.field = field
        self.retryable = code == "UNAVAILABLE" or status == 429

    def __str__(self) -> str:
        at = f" at {self.field}" if self.field else ""
        return f"{self.code}{at}: {self.message}"
