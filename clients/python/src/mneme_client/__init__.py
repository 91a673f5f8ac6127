"""The memory of AI agents: recall what past runs taught, record what this one does, and learn from how it ends."""

from .episode import Episode, NextStep, current
from .errors import MnemeError
from .graphql.async_client import AsyncClient
from .graphql.client import Client
from .graphql.fragments import Hit
from .lessons import Lessons
from .memory import Memory

__all__ = ["AsyncClient", "Client", "Episode", "Hit", "Lessons", "Memory", "MnemeError", "NextStep", "current"]
