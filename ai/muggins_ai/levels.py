"""The opponents by name: a closed table, weakest first.

A level is a set of faculties: a lower one lacks memory, inference or depth and does the rest as
well as the others; none blunders at random. Budgets are counts, so that a level is as strong on a
slow machine as on a fast one. `strongest` is always the name of the top.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from muggins_ai.about_even import AboutEven
from muggins_ai.greedy import Greedy
from muggins_ai.greedy_plus import GreedyPlus
from muggins_ai.opponent import Opponent
from muggins_ai.random_player import RandomPlayer
from muggins_ai.search.settings import Aim, Inference, PolicySetting, SearchBudget, SearchSetting
from muggins_ai.search_player import SearchPlayer
from muggins_ai.stopping import Stop, never

__all__ = [
    "LADDER",
    "LEVELS",
    "Level",
    "UnknownLevelError",
    "available_levels",
    "opponent_of",
    "strongest_within",
]

Setting = PolicySetting | SearchSetting


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent by name.

    `make` takes what tells a decision to stop. `setting` is absent for the simple players, which
    need no numba. `reads_past` tells that earlier rounds of the match are an input of its
    decisions.
    """

    name: str
    make: Callable[[Stop], Opponent]
    setting: Setting | None = None
    reads_past: bool = False

    @property
    def is_simple(self) -> bool:
        """True when it plays without learned values, and so without numba."""
        return self.setting is None and not self.reads_past

    @property
    def budget(self) -> SearchBudget | None:
        """What one decision may use; absent where nothing is searched."""
        return self.setting.budget if isinstance(self.setting, SearchSetting) else None


def _learned(name: str, setting: Setting) -> Level:
    adapts = isinstance(setting, SearchSetting) and setting.inference is Inference.ADAPTIVE
    return Level(name, lambda stop: SearchPlayer(setting, stop), setting, reads_past=adapts)


def _simple(name: str, player: Callable[[], Opponent]) -> Level:
    return Level(name, lambda _stop: player())


_BASELINES: Final = (
    _simple("random", RandomPlayer),
    _simple("greedy", Greedy),
    _simple("greedy_plus", GreedyPlus),
)
_STEPS: Final = (
    _simple("beginner", Greedy),
    _simple("casual", GreedyPlus),
    _learned("regular", PolicySetting()),
    _learned("skilled", SearchSetting(SearchBudget(400, 80, 0), Inference.NONE)),
    _learned("expert", SearchSetting(SearchBudget(800, 120, 20_000), Inference.POINTS)),
    _learned(
        "strongest",
        SearchSetting(SearchBudget(1_500, 160, 200_000), Inference.ADAPTIVE, Aim.MATCH),
    ),
)

_ABOUT_EVEN: Final = Level(
    "about_even",
    lambda stop: AboutEven([level.make for level in _STEPS], stop),
    reads_past=True,
)

LEVELS: Final = MappingProxyType(
    {level.name: level for level in (*_BASELINES, *_STEPS, _ABOUT_EVEN)}
)
"""Every level by name: the baselines, the ladder from the weakest up, and about_even."""

LADDER: Final = tuple(level.name for level in _STEPS)
"""The levels that people choose from, weakest first."""


def available_levels() -> tuple[str, ...]:
    """The levels that can play in this installation: learned ones need numba."""
    can_compile = find_spec("numba") is not None
    return tuple(name for name, level in LEVELS.items() if can_compile or level.is_simple)


class UnknownLevelError(ValueError):
    """No opponent has that name."""


def strongest_within(budget: SearchBudget, stop: Stop = never) -> Opponent:
    """The strongest opponent, which thinks so much instead of what its level says."""
    strongest = _STEPS[-1].setting
    assert isinstance(strongest, SearchSetting), "the top of the ladder searches"
    return SearchPlayer(replace(strongest, budget=budget), stop)


def opponent_of(level: str, stop: Stop = never) -> Opponent:
    """A new opponent of a level; one that searches gives up once `stop` says so.

    Raises:
        UnknownLevelError: the name is not in LEVELS.
    """
    found = LEVELS.get(level)
    if found is None:
        message = f"no level is called {level!r}; there are {', '.join(LEVELS)}"
        raise UnknownLevelError(message)
    return found.make(stop)
