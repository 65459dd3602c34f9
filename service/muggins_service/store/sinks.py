"""Who waits for notices, in this process."""

from collections.abc import Callable

__all__ = ["Sinks"]


class Sinks:
    """Functions that are called together."""

    def __init__(self) -> None:
        """Begin without one."""
        self._sinks: dict[object, Callable[[], None]] = {}

    def add(self, sink: Callable[[], None]) -> Callable[[], None]:
        """Call `sink` from now on; the result ends it."""
        mark = object()
        self._sinks[mark] = sink

        def drop() -> None:
            self._sinks.pop(mark, None)

        return drop

    def tell(self) -> None:
        """Call each."""
        for sink in tuple(self._sinks.values()):
            sink()
