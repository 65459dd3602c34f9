"""One table as a PettingZoo environment: a seat at a time, through the rules themselves."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from muggins_ai.environments import observing
from muggins_ai.environments.actions import format_number, numbered_actions
from muggins_ai.environments.chance import Shuffler, is_order
from muggins_ai.environments.numbering import ACTIONS
from muggins_ai.environments.seeing import mask_of_view, observation_of
from muggins_ai.environments.showing import table_text
from muggins_ai.environments.tables import table_of, utilities
from muggins_rules.actions import Action, Draw, Pass
from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.legal import legal_actions
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import TILE_COUNT
from muggins_rules.viewing import public_view, seat_view
from muggins_rules.views import Phase

__all__ = ["MugginsEnv", "env"]

Observation = dict[str, npt.NDArray[Any]]

_MOST_POINTS: Final = 2**31 - 1
_HIGHEST_COUNT: Final = 255


def env(
    rules: str | RuleSet = "muggins",
    seats: int = 2,
    *,
    automatic: bool = True,
    whole_match: bool = False,
    render_mode: str | None = None,
) -> OrderEnforcingWrapper[str, Observation, int]:
    """The environment in PettingZoo's wrapper that refuses calls before `reset`; as MugginsEnv."""
    return OrderEnforcingWrapper(
        MugginsEnv(
            rules, seats, automatic=automatic, whole_match=whole_match, render_mode=render_mode
        )
    )


class MugginsEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # it ships no types
    """A table of `seat_0` to `seat_3`, of which the one on turn acts.

    An observation is a dict: `observation`, int32 of OBSERVATION_SIZE as `observing` places it, and
    `action_mask`, int8 of ACTIONS, all 0 for a seat that is not on turn. It is made of the seat's
    view alone. The reward is the points of the seat's side less the mean of the others', in the
    rule set's unit, given with the step that brought them; all rewards of a step sum to 0.

    An episode is one round, the first of a match; with `whole_match` it is a match, the next round
    dealt as one ends. With `automatic` draws and passes are made for the seats; else they are
    actions. `render_mode` is `ansi`, by which `render` gives what everybody sees as text, or none.

    Raises:
        TableError: no environment plays such a table.
        ValueError: there is no such render mode.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo has it so
        "name": "muggins_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str | RuleSet = "muggins",
        seats: int = 2,
        *,
        automatic: bool = True,
        whole_match: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in {None, "ansi"}:
            message = f"the render mode is 'ansi' or None, not {render_mode!r}"
            raise ValueError(message)
        self.table = table_of(rules, seats)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._automatic = automatic
        self._whole_match = whole_match
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._shuffler: Shuffler | None = None
        self._state: MatchState = new_match(*self.table)
        self._actions: Mapping[int, Action] = MappingProxyType({})
        agents = self.possible_agents
        self.observation_spaces = {agent: _observation_space() for agent in agents}
        self.action_spaces: dict[str, Any] = {agent: spaces.Discrete(ACTIONS) for agent in agents}

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """The space of an agent's observations; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions; the same for all."""
        space: spaces.Space[Any] = self.action_spaces[agent]
        return space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Without a seed the shuffles go on as they were, at first from the system's numbers.
        `options` may hold `deck` and `lot`, both the codes of all tiles of the set, by which the
        first round is dealt and its opener drawn instead; other names are left alone.

        Raises:
            ValueError: the seed is negative, or an order is not that of all tiles.
        """
        highest_pip = self.table.rule_set.deal.highest_pip
        if seed is None and self._shuffler is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        if seed is not None:
            self._shuffler = Shuffler.seeded(seed, highest_pip)
        chance = _chance_of(options or {}, highest_pip)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._state = _dealt(new_match(*self.table), chance or self._next_chance())
        self._to_act()

    def step(self, action: int | None) -> None:
        """Take an action for the seat on turn; None for an agent whose episode is over.

        Raises:
            ValueError: the action is not legal for that seat; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            was_dead: Any = self._was_dead_step  # its published type lacks the None it asks for
            was_dead(action)
            return
        if action is None or int(action) not in self._actions:
            raise ValueError(_illegal(agent, action))
        self._cumulative_rewards[agent] = 0.0
        before = self._state.scores
        acted = decide(self._state, self._seat_of[agent], self._actions[int(action)])
        self._state = self._settled(evolve_all(self._state, acted))
        changes = [after - old for after, old in zip(self._state.scores, before, strict=True)]
        self.rewards = dict(zip(self.agents, utilities(self.table, changes), strict=True))
        if self._state.phase is not Phase.PLAYING:
            self.terminations = dict.fromkeys(self.agents, True)
        self._to_act()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, and what it may do."""
        view = seat_view(self._state, self._seat_of[agent])
        return {
            "observation": np.array(observation_of(view), dtype=np.int32),
            "action_mask": np.array(mask_of_view(view), dtype=np.int8),
        }

    def render(self) -> str | None:
        """What everybody at the table sees as text, in render mode `ansi`; else nothing."""
        return table_text(public_view(self._state)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Give back nothing: the environment holds no resources."""

    def _next_chance(self) -> RoundChance:
        assert self._shuffler is not None, "reset makes the shuffler"
        return self._shuffler.next()

    def _settled(self, state: MatchState) -> MatchState:
        """The state once everything has happened that no agent is asked for."""
        while True:
            if state.phase is Phase.ROUND_OVER and self._whole_match:
                state = _dealt(state, self._next_chance())
                continue
            forced = _forced(state) if self._automatic else None
            if forced is None:
                return state
            state = evolve_all(state, decide(state, *forced))

    def _to_act(self) -> None:
        """Turn to the seat on turn, or to the first agent once the episode is over."""
        self._actions = numbered_actions(legal_actions(self._state))
        table = self._state.table
        turn = None if table is None else table.turn
        self.agent_selection = self.possible_agents[turn or 0]


def _observation_space() -> spaces.Space[Any]:
    low = np.zeros(observing.OBSERVATION_SIZE, dtype=np.int32)
    high = np.ones(observing.OBSERVATION_SIZE, dtype=np.int32)
    high[observing.HAND_SIZES : observing.DOUBLES] = TILE_COUNT
    high[observing.COUNT] = _HIGHEST_COUNT
    high[observing.SCORES : observing.ON_TURN] = _MOST_POINTS
    low[observing.SCORES : observing.TARGET_SCORE] = -_MOST_POINTS
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int32),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), dtype=np.int8),
        }
    )


def _chance_of(options: Mapping[str, Any], highest_pip: int) -> RoundChance | None:
    """The chance that options name, or none."""
    if "deck" not in options and "lot" not in options:
        return None
    orders: list[Sequence[int]] = []
    for name in ("deck", "lot"):
        if name not in options:
            raise ValueError("the options deck and lot are given together")
        order = [int(code) for code in options[name]]
        if not is_order(order, highest_pip):
            message = f"the option {name} is not the codes of all tiles of the set"
            raise ValueError(message)
        orders.append(order)
    deck, lot = orders
    return RoundChance(tuple(deck), tuple(lot))


def _dealt(state: MatchState, chance: RoundChance) -> MatchState:
    return evolve_all(state, deal_round(state, chance))


def _forced(state: MatchState) -> tuple[int, Action] | None:
    """The draw or the pass that the seat on turn has to make; none where it has a choice."""
    actions = legal_actions(state)
    if not actions or not isinstance(actions[0], Draw | Pass):
        return None
    assert state.table is not None, "a seat is on turn"
    assert state.table.turn is not None, "a seat is on turn"
    return state.table.turn, actions[0]


def _illegal(agent: str, action: int | None) -> str:
    known = action is not None and 0 <= int(action) < ACTIONS
    told = f"{action} ({format_number(int(action))})" if known and action is not None else action
    return f"action {told} is not legal for {agent}"
