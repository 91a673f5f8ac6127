"""What agents hand over, as values that mneme keeps."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json, to_jsonable_python

from .lessons import cleaned

LONGEST = 64 * 1024
"""The most bytes of one value. mneme keeps 1 MiB; a page that a tool read would only bury the rest."""


def plain(value: object) -> Any:
    """The value as JSON, without recalled blocks. It never fails; what is long becomes a text that is cut off."""
    try:
        safe = cleaned(to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="strings", fallback=repr))
        if depth(safe) <= 60 and size(safe) <= LONGEST:
            return safe
        return text(safe)
    except Exception:  # whatever objects do where they are read must not end the agent's work
        return text(f"{type(value).__name__} that cannot be read")


def size(value: object) -> int:
    return len(to_json(value))


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def text(value: object) -> str:
    """The value in words: a text as it is, anything else as JSON; what is long is cut off."""
    said = value if isinstance(value, str) else to_json(value, inf_nan_mode="strings", fallback=repr).decode()
    raw = str(cleaned(said)).encode()
    if len(raw) <= LONGEST:
        return raw.decode()
    return f"{raw[: LONGEST - 64].decode(errors='ignore')}… ({len(raw)} bytes, cut off)"


def fault(error: BaseException) -> str:
    """An exception as its name and its text."""
    said = str(error).strip()
    return text(f"{type(error).__name__}: {said}" if said else type(error).__name__)
