"""Rounds played by one policy in all seats, told position by position with all that is hidden."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.playouts import POLICIES, playout_functions
from muggins_ai.belief import history
from muggins_ai.belief.believer import belief_functions, family_network
from muggins_ai.belief.likelihood import PUBLIC
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.evaluate import policy
from muggins_ai.evaluate.public import PUBLIC_SIZE
from muggins_ai.playout import FLAGS, HAND_SIZE, NEXT, RESERVE
from muggins_ai.policies import ROOM_FOR_REPLIES
from muggins_ai.round_rules import rules_of
from muggins_ai.table_order import MOST_ENDS
from muggins_rules.kernel import EMPTY_TABLE, MOST_MOVES
from muggins_rules.opening import highest_double
from muggins_rules.ruleset import OpenerRule, RuleSet

__all__ = ["OPPONENTS", "StudiedRounds", "Truth"]

OPPONENTS: Final = (*POLICIES, "network")
"""Who can play the rounds: the policies, or the learned policy at its likeliest move."""


class Truth(NamedTuple):
    """A position before a choice, with all that the viewer does not know.

    `slots` are by seat the tiles that it was dealt or kept of a draw, in order. `seen` is the
    number of placements by the other seats; `drawn` tells whether one of them kept drawn tiles.
    """

    viewer: int
    hands: tuple[int, ...]
    turns: Any
    slots: tuple[tuple[int, ...], ...]
    seen: int
    drawn: bool


class _Choice(NamedTuple):
    """What a move is chosen by."""

    turns: list[int]
    seat: int
    word: int
    hands: list[int]
    tiles: int
    off_table: int


class StudiedRounds:
    """Rounds of a rule set with so many seats, from decks that follow from a seed; compiled."""

    def __init__(self, rule_set: RuleSet, seats: int, opponent: str, seed: str) -> None:
        self._rule_set = rule_set
        self._seats = seats
        self._seed = seed
        self._functions = playout_functions(compiled=True)
        self._rules = integer_array(rules_of(rule_set, seats))
        self._ends = integer_array([0] * (MOST_ENDS + 1))
        self._moves = integer_array([0] * MOST_MOVES)
        self._replies = integer_array([0] * ROOM_FOR_REPLIES)
        self._state = integer_array([1, 0])
        self._opponent = opponent
        self._choose: Callable[[_Choice], int] = self._by_policy
        if opponent == "network":
            self._choose = self._by_network
            self._network = family_network(rule_set, seats, compiled=True)
            self._logits = compiled_kernel((policy,)).move_logits
            self._public = tuple(integer_array([0] * PUBLIC_SIZE) for _ in range(PUBLIC + 1))

    def positions(self, number: int) -> Iterator[Truth]:
        """Every position of a round in which the seat on turn chooses between tiles."""
        rules, seats, functions = self._rules, self._seats, self._functions
        chance = PairChance(self._seed, number, seats, self._rule_set.deal.highest_pip)
        self._state[0] = chance.random_state()
        deck = chance.deck(1)
        opener, lead = self._opening(chance, deck)
        size = int(rules[HAND_SIZE])
        slots = [list(deck[seat * size : (seat + 1) * size]) for seat in range(seats)]
        hands = [sum(1 << code for code in dealt) for dealt in slots]
        boneyard = list(deck[seats * size :])
        turns = [0] * history.HISTORY
        history.begin_history(turns, history.NO_TILE if lead < 0 else lead, int(lead >= 0))
        word, seat, passes = EMPTY_TABLE, opener, 0
        placements = [0] * seats
        off_table = sum(1 << code for code in deck)
        while passes < seats:
            tiles = 1 << lead if lead >= 0 else int(functions.legal_tiles(word, hands[seat]))
            lead = -1
            taken = 0
            while not tiles and len(boneyard) > int(rules[RESERVE]):
                code = boneyard.pop(0)
                hands[seat] |= 1 << code
                taken += 1
                tiles = int(functions.legal_tiles(word, 1 << code))
                if not tiles:
                    slots[seat].append(code)
            follower = (seat + int(rules[NEXT])) % seats
            if not tiles:
                history.add_turn(turns, seat, word, history.PASSED, taken)
                passes += 1
                seat = follower
                continue
            passes = 0
            if not taken and tiles & tiles - 1:
                others = [other for other in range(seats) if other != seat]
                yield Truth(
                    seat,
                    tuple(hands),
                    integer_array(turns),
                    tuple(map(tuple, slots)),
                    sum(placements[other] for other in others),
                    any(len(slots[other]) > size for other in others),
                )
            move = self._choose(_Choice(turns, seat, word, hands, tiles, off_table))
            history.add_turn(turns, seat, word, move, taken)
            word = int(functions.lay(word, move, rules[FLAGS]))
            functions.add_tile(word, move, self._ends)
            hands[seat] ^= 1 << (move & 31)
            off_table ^= 1 << (move & 31)
            placements[seat] += 1
            if not hands[seat]:
                return
            seat = follower

    def _opening(self, chance: PairChance, deck: tuple[int, ...]) -> tuple[int, int]:
        turns = self._rule_set.turns
        if turns.first_opener is OpenerRule.LOT:
            return chance.lot_winner(1), -1
        size = self._rule_set.hand_size(self._seats)
        dealt = [deck[seat * size : (seat + 1) * size] for seat in range(self._seats)]
        opener, highest = highest_double(dealt)
        return opener, highest if turns.must_lead_highest_double else -1

    def _by_policy(self, choice: _Choice) -> int:
        hand = choice.hands[choice.seat]
        follower = (choice.seat + int(self._rules[NEXT])) % self._seats
        return int(
            self._functions.choose_move(
                self._rules,
                POLICIES[self._opponent],
                choice.word,
                hand,
                choice.off_table & ~hand,
                choice.hands[follower].bit_count(),
                choice.tiles,
                self._ends,
                self._moves,
                self._replies,
                self._state,
            )
        )

    def _by_network(self, choice: _Choice) -> int:
        rules, functions = self._rules, belief_functions(compiled=True)
        functions.begin_turns(rules, self._public)
        turns = choice.turns
        for turn in range(turns[history.TURN_COUNT]):
            at = history.FIRST_TURN + history.TURN * turn
            seat, _, move, taken = turns[at : at + history.TURN]
            functions.note_turn(rules, seat, move, taken, self._public)
        found = int(
            self._functions.list_in_order(
                choice.word, choice.tiles, rules[FLAGS], self._ends, self._moves
            )
        )
        self._logits(
            rules,
            self._public[PUBLIC],
            choice.seat,
            choice.hands[choice.seat],
            self._moves,
            found,
            self._network.net,
            self._network.scratch,
            self._replies,
        )
        logits = [int(logit) for logit in self._replies[:found]]
        return int(self._moves[logits.index(max(logits))])
