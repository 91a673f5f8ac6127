"""Real servers, built from this checkout: MNEME_BINARY names the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mneme_client import Memory
from mneme_client.graphql.episode import EpisodeEpisode


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.local(tmp_path / "data", strict=True, timeout=10) as memory:
        yield memory


def recorded(memory: Memory, id: str) -> EpisodeEpisode:
    """An episode as the server has it."""
    assert memory.flush()
    with memory.client() as client:
        episode = client.episode(id)
    assert episode, f"{id} is not recorded"
    return episode


def events(memory: Memory, id: str) -> list[dict[str, object]]:
    """The log of an episode as the server has it."""
    query = "query Log($id: ID!) { replay(episodeId: $id, first: 100) { nodes { sequence type data } } }"
    with memory.client() as client:
        data = client.get_data(client.execute(query, "Log", {"id": id}))
    nodes = data["replay"]["nodes"]
    assert isinstance(nodes, list)
    return nodes
