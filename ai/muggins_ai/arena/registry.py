"""Agents by name: the names of levels, and kinds of agents with settings.

A name may carry settings after its kind, as in `network,temperature=3072` or
`search,iterations=2000,worlds=200,inference=adaptive`.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from muggins_ai import policies
from muggins_ai.arena.agents import Agent, FirstPolicyAgent, NetworkAgent, Workshop
from muggins_ai.arena.searching import ExpectimaxAgent, OracleAgent, SearchAgent
from muggins_ai.greedy import Greedy
from muggins_ai.greedy_plus import GreedyPlus
from muggins_ai.levels import LEVELS
from muggins_ai.random_player import RandomPlayer
from muggins_ai.search.expectimax_searcher import ExpectimaxSetting
from muggins_ai.search.settings import Aim, Inference, PolicySetting, SearchBudget, SearchSetting
from muggins_ai.stopping import never

__all__ = [
    "AGENTS",
    "KINDS",
    "AgentMaker",
    "UnknownAgentError",
    "agent_maker",
    "maker_of",
]

AgentMaker = Callable[[Workshop, int], Agent]
"""Makes the agent of a seat, for one match, from what its table works with."""


class UnknownAgentError(ValueError):
    """No agent has that name, or its kind has no such setting."""


def maker_of(setting: PolicySetting | SearchSetting) -> AgentMaker:
    """What makes the agents of a level's setting."""
    match setting:
        case PolicySetting():
            return lambda workshop, _seat: NetworkAgent(workshop, setting)
        case SearchSetting():
            return lambda workshop, seat: SearchAgent(workshop, seat, setting)


def _network(settings: Mapping[str, Any]) -> AgentMaker:
    return maker_of(PolicySetting(**settings))


def _search(settings: Mapping[str, Any]) -> AgentMaker:
    chosen: dict[str, Any] = {
        "iterations": 700,
        "worlds": 80,
        "nodes": 20_000,
        "inference": Inference.POINTS,
    }
    chosen.update(settings)
    aim = settings.get("aim", Aim.POINTS)
    return maker_of(SearchSetting(_budget(chosen), chosen["inference"], aim))


def _expectimax(settings: Mapping[str, Any]) -> AgentMaker:
    chosen = {"depth": 2, "worlds": 60, "placements": 4000, **settings}
    setting = ExpectimaxSetting(**chosen)
    return lambda workshop, _seat: ExpectimaxAgent(workshop, setting)


def _oracle(settings: Mapping[str, Any]) -> AgentMaker:
    budget = _budget({"iterations": 2000, "worlds": 1, "nodes": 200_000, **settings})
    return lambda workshop, _seat: OracleAgent(workshop, budget)


def _budget(settings: Mapping[str, Any]) -> SearchBudget:
    return SearchBudget(settings["iterations"], settings["worlds"], settings["nodes"])


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("not a whole number of 0 or more")
    return int(text)


def _positive(text: str) -> int:
    if not _count(text):
        raise ValueError("must be at least 1")
    return int(text)


_Readers = Mapping[str, Callable[[str], Any]]

KINDS: Final[Mapping[str, tuple[Callable[[Mapping[str, Any]], AgentMaker], _Readers]]] = (
    MappingProxyType(
        {
            "network": (_network, {"temperature": _count}),
            "search": (
                _search,
                {
                    "iterations": _positive,
                    "worlds": _positive,
                    "nodes": _count,
                    "inference": Inference,
                    "aim": Aim,
                },
            ),
            "expectimax": (
                _expectimax,
                {"depth": _positive, "worlds": _positive, "placements": _positive},
            ),
            "oracle": (_oracle, {"iterations": _positive, "nodes": _count}),
        }
    )
)
"""Kinds of agents: what makes a maker from settings, and what reads each setting.

`network` is the learned policy alone, `expectimax` looks ahead without a tree. `oracle` sees all
hands: a bound in the arena, no player.
"""

_POLICY_OF_PLAYER: Final[Mapping[type, int]] = MappingProxyType(
    {
        RandomPlayer: policies.RANDOM,
        Greedy: policies.GREEDY,
        GreedyPlus: policies.GREEDY_PLUS,
    }
)
"""The policies that the simple players play."""


def _of_levels() -> Iterator[tuple[str, AgentMaker]]:
    for name, level in LEVELS.items():
        policy = _POLICY_OF_PLAYER.get(type(level.make(never)))
        if level.setting is not None:
            yield name, maker_of(level.setting)
        elif policy is not None:
            yield name, _first(policy)


def _first(policy: int) -> AgentMaker:
    return lambda workshop, _seat: FirstPolicyAgent(workshop, policy)


AGENTS: Final[Mapping[str, AgentMaker]] = MappingProxyType(dict(_of_levels()))
"""The agents of the levels by name: of all that have a strength of their own."""


def agent_maker(name: str) -> AgentMaker:
    """What makes the agents of a name.

    Raises:
        UnknownAgentError: there is no such level or kind, or it has no such setting.
    """
    if name in AGENTS:
        return AGENTS[name]
    kind, *given = name.split(",")
    if kind not in KINDS:
        known = ", ".join((*AGENTS, *KINDS))
        raise UnknownAgentError(f"no agent is called {name!r}; there are {known}")
    make, readers = KINDS[kind]
    settings = {}
    for setting in given:
        key, _, value = setting.partition("=")
        if key not in readers:
            raise UnknownAgentError(f"{kind} has no setting {key!r}; it has {', '.join(readers)}")
        try:
            settings[key] = readers[key](value)
        except ValueError as error:
            raise UnknownAgentError(f"{setting!r} of {kind}: {error}") from error
    return make(settings)
