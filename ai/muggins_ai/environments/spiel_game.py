"""A round as OpenSpiel's game `python_muggins`, registered when this module is imported.

    import pyspiel
    from muggins_ai.environments import spiel_game

    game = pyspiel.load_game("python_muggins(rules=five_up,players=3)")
    state = spiel_game.load(my_rule_set, 2).new_initial_state()

Actions have the project's numbers; draws and passes are actions. Chance deals, draws the lot and
names each tile drawn (`chance_round`). A player's return is the points of its side less the mean of
the others', in the rule set's unit; rewards come with the actions that bring them, and their sum
is 0. The round is the first of a match.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from random import Random
from typing import Any, Final

import pyspiel

from muggins_ai.environments.actions import format_number
from muggins_ai.environments.chance_round import (
    MOST_OUTCOMES,
    OPENER,
    ChanceRound,
    after_action,
    after_chance,
    new_round,
)
from muggins_ai.environments.numbering import ACTIONS
from muggins_ai.environments.resampling import Resampler
from muggins_ai.environments.spiel_observer import Kind, SpielObserver, most_steps
from muggins_ai.environments.tables import Table, TableError, table_of, utilities
from muggins_rules.notation import (
    NotationError,
    format_rule_set,
    format_tile,
    parse_rule_set,
)
from muggins_rules.notation.seats import SEAT_NAMES
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import FEWEST_SEATS, MOST_SEATS, RuleSet
from muggins_rules.tiles import SET_CODES, TILES

__all__ = ["NAME", "MugginsGame", "MugginsSpielState", "load"]

NAME: Final = "python_muggins"
"""The game's short name."""

_CUSTOM: Final = "notation-"
"""Begins the parameter `rules` of a rule set that is no preset: its notation follows, in hex."""

_HIGHEST_COUNT: Final = 255

_GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Muggins and All Fives dominoes",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=MOST_SEATS,
    min_num_players=FEWEST_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": "muggins", "players": FEWEST_SEATS},
)


def load(rules: str | RuleSet, players: int) -> Any:  # noqa: ANN401 - pyspiel ships no types
    """The game of a preset, by its id, or of a rule set.

    Raises:
        TableError: no environment plays such a table.
        InvalidRuleSet: the parameters do not fit together.
    """
    rule_set = table_of(rules, players).rule_set
    name = rule_set.id
    if rule_set != PRESETS.get(name):
        name = _CUSTOM + format_rule_set(rule_set).encode().hex()
    return pyspiel.load_game(NAME, {"rules": name, "players": players})


class MugginsGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """The game of one rule set and number of players."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        rule_set, players = table = _table_of(given)
        pips = sum(TILES[code].pips for code in SET_CODES[rule_set.deal.highest_pip])
        # A side stays below the target until its last gain, and a settlement takes what hands hold.
        least = -(pips + 5) // rule_set.scoring.points_divisor
        most = rule_set.target(players) + _HIGHEST_COUNT + pips + 5
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=players,
            min_utility=least - most,
            max_utility=most - least,
            utility_sum=0.0,
            max_game_length=most_steps(table),
        )
        super().__init__(_GAME_TYPE, info, given)

    @property
    def table(self) -> Table:
        """The rule set and the number of players, from the parameters: pickles keep no more."""
        return _table_of(self.get_parameters())

    def new_initial_state(self) -> "MugginsSpielState":
        """A round before its deal."""
        return MugginsSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No round has more outcomes of chance: every tile dealt or drawn once, and the lot."""
        return len(SET_CODES[self.table.rule_set.deal.highest_pip]) + 1

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - pyspiel ships no types
        params: Mapping[str, Any] | None = None,
    ) -> SpielObserver:
        """An observer, by default of what one player may know without memory.

        Raises:
            ValueError: there are parameters, or the private information of all is asked for.
        """
        if params:
            message = f"observers take no parameters, not {dict(params)}"
            raise ValueError(message)
        if iig_obs_type is None:
            return SpielObserver(self.table, Kind(perfect_recall=False, public=True, private=True))
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observer sees the private information of all players")
        private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return SpielObserver(
            self.table,
            Kind(iig_obs_type.perfect_recall, iig_obs_type.public_info, private),
        )


class MugginsSpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A round between two steps; `play` is its value."""

    def __init__(self, game: MugginsGame) -> None:
        super().__init__(game)
        self.play: ChanceRound = new_round(game.table)

    def current_player(self) -> int:
        """The seat on turn, or OpenSpiel's number for chance or for the end."""
        if self.play.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.play.is_chance else self.play.turn

    def _legal_actions(self, player: int) -> list[int]:
        """What the seat on turn may do, ascending."""
        on_turn = not self.play.is_chance and not self.play.is_over and player == self.play.turn
        return list(self.play.actions()) if on_turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring with its probability."""
        outcomes = self.play.outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        """Take an outcome or an action."""
        follow = after_chance if self.play.is_chance else after_action
        self.play = follow(self.play, action)

    def _action_to_string(self, player: int, action: int) -> str:
        """An outcome or an action as text."""
        if player != pyspiel.PlayerId.CHANCE:
            return format_number(action)
        if action >= OPENER:
            return f"{SEAT_NAMES[action - OPENER]} opens"
        return f"tile {format_tile(TILES[action])}"

    def is_terminal(self) -> bool:
        """True once the round is over."""
        return self.play.is_over

    def rewards(self) -> list[float]:
        """By player, what the last action brought."""
        return list(utilities(self.play.table, self.play.changes))

    def returns(self) -> list[float]:
        """By player, what the round has brought so far."""
        return list(utilities(self.play.table, self.play.scores))

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "MugginsSpielState":
        """A state that `player_id` cannot tell from this one, drawn at random as `resampling` says.

        `probability_sampler` gives numbers from 0 to below 1; one is taken. Only Python code gets
        here: OpenSpiel's C++ algorithms do not look for it in Python games.

        Raises:
            ValueError: there is no such player.
        """
        random = Random(int(probability_sampler() * (1 << 53)))
        play = _resampler(self.play.table).resampled(self.play, player_id, random)
        state: MugginsSpielState = self.get_game().new_initial_state()
        for number in play.history:
            state.apply_action(number)
        return state

    def __str__(self) -> str:
        """All there is, for debugging."""
        return " ".join(map(str, self.play.history))


def _table_of(params: Mapping[str, Any]) -> Table:
    """The table that a game's parameters name."""
    rules = str(params.get("rules", "muggins"))
    return _named_table(rules, int(params.get("players", FEWEST_SEATS)))


@cache
def _named_table(rules: str, players: int) -> Table:
    return table_of(_rule_set_of(rules), players)


def _rule_set_of(name: str) -> str | RuleSet:
    """The rule set that the parameter `rules` names."""
    if not name.startswith(_CUSTOM):
        return name
    try:
        return parse_rule_set(bytes.fromhex(name.removeprefix(_CUSTOM)).decode())
    except (NotationError, ValueError) as error:
        message = f"the parameter rules holds no rule set: {error}"
        raise TableError(message) from error


@cache
def _resampler(table: Table) -> Resampler:
    return Resampler(table, compiled=find_spec("numba") is not None)


pyspiel.register_game(_GAME_TYPE, MugginsGame)
