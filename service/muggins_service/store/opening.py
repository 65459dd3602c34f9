"""Which store a server has, by its settings."""

from pathlib import Path
from typing import Final

from muggins_service.store.memory import MemoryStore
from muggins_service.store.port import Store
from muggins_service.store.sqlite import SqliteStore

__all__ = ["MEMORY", "open_store"]

MEMORY: Final = "memory"
"""The name of the store that ends with its process."""


def open_store(name: str) -> Store:
    """The store in a file, or the one in memory.

    Raises:
        StoreRefused: the file cannot be used; nothing in it was changed.
    """
    return MemoryStore() if name == MEMORY else SqliteStore(Path(name))
