"""Values and policies: compiled as plain, as numpy has it, and by nothing that is hidden."""

import random
from itertools import islice

import pytest

from muggins_ai.evaluate import policy, public, scoring, value
from muggins_ai.evaluate.exponents import CERTAIN
from muggins_ai.evaluate.weights import (
    policy_scratch,
    policy_shape,
    value_scratch,
    value_shape,
)
from muggins_ai.playout import FLAGS, SIDES
from muggins_ai.policies import ROOM_FOR_REPLIES
from muggins_ai.round_rules import rules_of
from muggins_ai.search.steps import HANDS, META, META_SIZE, PENDING, TABLE, TURN
from muggins_ai.table_order import MOST_ENDS
from muggins_rules import kernel
from muggins_rules.tiles import SET_CODES
from tests.ai.net_kit import Played, arrays, functions, positions, random_net
from tests.ai.tables import TABLES, Table

np = pytest.importorskip("numpy", reason="the extra `ai` is not installed")
pytest.importorskip("numba", reason="the extra `ai` is not installed")

by_table = pytest.mark.parametrize("table", TABLES, ids=str)


def left(position: Played) -> int:
    """The tiles that are not on the table."""
    return position.public[public.OFF_TABLE]


@by_table
def test_values_are_those_of_a_plain_network_compiled_or_not(table: Table) -> None:
    shape = value_shape(table.seats, table.rule_set.sides(table.seats))
    plain, compiled = functions(compiled=False), functions(compiled=True)
    net = random_net(shape, 1, compiled=False)
    fast_net = random_net(shape, 1, compiled=True)
    for position in islice(positions(table, 9, "values"), 60):
        out, fast_out = [0] * 4, np.zeros(4, dtype=np.int64)
        scratch = value_scratch(compiled=False)
        plain.leaf_values(position.rules, position.world, left(position), net, scratch, out)
        compiled.leaf_values(
            *arrays((position.rules,)),
            arrays(position.world),
            left(position),
            fast_net,
            value_scratch(compiled=True),
            fast_out,
        )
        assert reference_values(position, net) == out == fast_out.tolist()


def reference_values(position: Played, net: tuple[list[int], ...]) -> list[int]:
    """The values by matrices over the inputs that are on."""
    inputs, masks = [0] * value.MOST_INPUTS, [0] * scoring.LEVELS
    end = value.value_inputs(position.rules, position.world, left(position), inputs, 0, masks)
    rows = np.array(net[0], dtype=np.int64).reshape(-1, value.HIDDEN)
    hidden = np.maximum(rows[inputs[:end]].sum(axis=0) + np.array(net[1]), 0)
    outputs = np.array(net[2], dtype=np.int64).reshape(-1, value.HIDDEN) @ hidden + np.array(net[3])
    found = (outputs >> value.OUTPUT_SHIFT).tolist()
    sides, turn = position.rules[SIDES], position.world[META][TURN]
    mover = turn % sides
    if sides == 2:
        return [*(found[0] if side == mover else -found[0] for side in range(2)), 0, 0]
    mean = sum(found) // sides
    step = position.rules[3]
    values = [0] * 4
    for place, worth in enumerate(found):
        values[(turn + place * step) % sides] = worth - mean
    return values


@by_table
def test_values_of_the_sides_sum_to_nothing(table: Table) -> None:
    sides = table.rule_set.sides(table.seats)
    net = random_net(value_shape(table.seats, sides), 2, compiled=False)
    for position in islice(positions(table, 3, "sum"), 30):
        out = [0] * 4
        scratch = value_scratch(compiled=False)
        value.leaf_values(position.rules, position.world, left(position), net, scratch, out)
        assert sum(out) == 0 if sides == 2 else 0 <= sum(out) < sides


@by_table
def test_inputs_have_rows_and_room(table: Table) -> None:
    rows, masks = value.value_rows(table.seats), [0] * scoring.LEVELS
    for position in positions(table, 20, "room"):
        inputs = [0] * value.MOST_INPUTS
        end = value.value_inputs(position.rules, position.world, left(position), inputs, 0, masks)
        assert 0 == end % 4
        assert max(inputs[:end]) < rows
        seat = position.world[META][TURN]
        for move in position.moves:
            moved = [0] * policy.POLICY_MOST_INPUTS
            hand = position.world[HANDS][seat]
            end = policy.move_inputs(
                position.rules, position.public, seat, hand, move, moved, 0, masks
            )
            assert 0 == end % 4
            assert max(moved[:end]) < policy.POLICY_INPUTS


@pytest.mark.parametrize(
    ("most", "weight"),
    [
        (value.MOST_INPUTS, value.LARGEST_WEIGHT),
        (policy.POLICY_MOST_INPUTS, policy.LARGEST_WEIGHT),
    ],
)
def test_sums_of_the_largest_weights_keep_within_16_bits(most: int, weight: float) -> None:
    assert most * round(128 * weight) + 8 * 128 < 1 << 15


@by_table
def test_logits_are_those_of_a_plain_network_compiled_or_not(table: Table) -> None:
    plain, compiled = functions(compiled=False), functions(compiled=True)
    net = random_net(policy_shape(), 3, compiled=False)
    fast_net = random_net(policy_shape(), 3, compiled=True)
    rows = np.array(net[0], dtype=np.int64).reshape(-1, policy.POLICY_HIDDEN)
    masks = [0] * scoring.LEVELS
    for position in islice(positions(table, 5, "logits"), 30):
        seat, moves = position.world[META][TURN], position.moves
        hand = position.world[HANDS][seat]
        expected = []
        for move in moves:
            inputs = [0] * policy.POLICY_MOST_INPUTS
            end = policy.move_inputs(
                position.rules, position.public, seat, hand, move, inputs, 0, masks
            )
            hidden = np.maximum(rows[inputs[:end]].sum(axis=0) + np.array(net[1]), 0)
            expected.append(int(hidden @ np.array(net[2])) >> policy.POLICY_SHIFT)
        out, fast_out = [0] * len(moves), np.zeros(len(moves), dtype=np.int64)
        scratch = policy_scratch(compiled=False)
        plain.move_logits(
            position.rules, position.public, seat, hand, moves, len(moves), net, scratch, out
        )
        fast_rules, fast_public, fast_moves = arrays((position.rules, position.public, moves))
        fast_scratch = policy_scratch(compiled=True)
        compiled.move_logits(
            fast_rules,
            fast_public,
            seat,
            hand,
            fast_moves,
            len(moves),
            fast_net,
            fast_scratch,
            fast_out,
        )
        assert expected == out == fast_out.tolist()


def test_the_likeliest_move_has_the_certain_weight_and_others_follow_their_logits() -> None:
    weights = [0, 1024, -1024, 1 << 40]
    policy.weigh(weights, 3, 1024)
    assert [24109, CERTAIN, 8869] == weights[:3]
    assert 1 << 40 == weights[3]


def test_a_hopeless_move_keeps_a_chance() -> None:
    weights = [0, -(1 << 40)]
    policy.weigh(weights, 2, 1)
    assert [CERTAIN, 1] == weights


@by_table
def test_masks_by_score_are_what_the_kernel_scores(table: Table) -> None:
    for position in islice(positions(table, 12, "masks"), 100):
        flags, word = position.rules[FLAGS], position.world[META][TABLE]
        masks, moves = [0] * scoring.LEVELS, [0] * kernel.MOST_MOVES
        scoring.score_masks(word, flags, masks)
        best = [0] * 28
        for move in moves[: kernel.list_moves(word, left(position), flags, moves)]:
            points = kernel.points_of(kernel.count_of(kernel.lay(word, move, flags)), 1)
            best[move & 31] = max(best[move & 31], points // 5)
        found = [
            max((level for level in range(1, 8) if masks[level] >> code & 1), default=0)
            for code in range(28)
        ]
        off = [code for code in range(28) if left(position) >> code & 1]
        assert [min(best[code], 7) for code in off] == [found[code] for code in off]


@by_table
def test_what_everybody_knows_is_true(table: Table) -> None:
    """The numbers of tiles are those held, and no seat holds what it may not hold."""
    for position in positions(table, 20, "true"):
        known, hands, meta = position.public, position.world[HANDS], position.world[META]
        assert meta[TABLE] == known[public.WORD]
        assert meta[3] - meta[2] == known[public.DRAWABLE]
        for seat in range(table.seats):
            assert hands[seat].bit_count() == known[public.SIZES + seat]
            assert 0 == hands[seat] & ~known[public.OFF_TABLE]
            # A tile that was just drawn and fits is placed at once, before others think.
            kept = hands[seat] & ~meta[PENDING] if seat == meta[TURN] else hands[seat]
            assert 0 == kept & ~known[public.MAY_HOLD + seat]


def test_a_pass_and_a_draw_rule_out_what_would_have_fitted() -> None:
    rules = [0, 2, 2, 1, 7, 28, 0, 1, 0, 0, 250, 0, 0, 0]
    known = [0] * public.PUBLIC_SIZE
    public.begin_public(rules, (1 << 28) - 1, known)
    public.note_placement(known, 0, kernel.move_of(2, kernel.OPENING, 0, 0), 0)  # the tile 0-2
    blanks_and_twos = kernel.SUITS[0b101]
    public.note_draws(known, 1, 1, 1)
    assert 0 == known[public.MAY_HOLD + 1] & blanks_and_twos
    public.note_placement(known, 1, kernel.move_of(4, 0, 0, 0), 0)  # 0-4 leaves 2 and 4
    public.note_pass(known, 0)
    assert 0 == known[public.MAY_HOLD] & kernel.SUITS[0b10100]
    public.note_draws(known, 1, 3, 0)
    assert known[public.OFF_TABLE] & ~kernel.SUITS[0b10100] == known[public.MAY_HOLD + 1]
    assert [6, 10, 10] == [known[public.SIZES], known[public.SIZES + 1], known[public.DRAWABLE]]


@by_table
def test_public_knowledge_follows_from_public_events(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden tiles cannot change a policy: its view comes of seats, counts and tiles laid alone."""
    known = [0] * public.PUBLIC_SIZE
    draws, passes, placements = public.note_draws, public.note_pass, public.note_placement

    def draw(now: list[int], seat: int, drawn: int, fits: int) -> None:
        draws(now, seat, drawn, fits)
        draws(known, seat, drawn, min(fits, 1))

    def pass_by(now: list[int], seat: int) -> None:
        passes(now, seat)
        passes(known, seat)

    def place(now: list[int], seat: int, move: int, flags: int) -> None:
        placements(now, seat, move, flags)
        placements(known, seat, move, flags)

    for name, spy in (("note_draws", draw), ("note_pass", pass_by), ("note_placement", place)):
        monkeypatch.setattr(public, name, spy)
    for position in positions(table, 4, "public"):
        if position.public[public.WORD] == kernel.EMPTY_TABLE:
            public.begin_public(position.rules, position.public[public.OFF_TABLE], known)
        assert position.public == known


@by_table
def test_contests_of_the_first_policies_are_their_playouts(table: Table) -> None:
    """Greedy and greedy_plus play the same rounds with and without the public table beside."""
    play = functions(compiled=False)
    rules = rules_of(table.rule_set, table.seats)
    for number in range(8):
        deck = list(SET_CODES[table.rule_set.deal.highest_pip])
        random.Random(number).shuffle(deck)
        seat_policies = [1 + (seat + number) % 2 for seat in range(table.seats)]
        scores, scored, hands = [0] * 4, [0] * 4, [0] * 4
        ends, moves = [0] * (MOST_ENDS + 1), [0] * kernel.MOST_MOVES
        replies, opener = [0] * ROOM_FOR_REPLIES, number % table.seats
        expected = play.play_round(
            rules, seat_policies, deck, opener, -1, scores, scored, hands, ends, moves, replies,
            [7, 0], [],
        )  # fmt: skip
        world = ([0] * META_SIZE, [0] * 4, [0] * 4, [0] * 4)
        scratch = policy_scratch(compiled=False)
        ended = play.contest_round(
            rules, seat_policies, 0, ([], [], [], []), scratch, deck, opener, -1, world,
            [0] * public.PUBLIC_SIZE, ends, moves, replies, [0] * kernel.MOST_MOVES, [7],
        )  # fmt: skip
        assert expected == ended
        assert (hands, scores, scored) == world[1:]
