"""The messages of OpponentService: levels and decisions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from muggins.v1 import analysis_pb2, views_pb2
from muggins.v1 import opponent_service_pb2 as pb
from muggins_rules.actions import Action, Call, Place
from muggins_service.errors import malformed_field
from muggins_service.wire.actions import decode_action, set_action, with_claim
from muggins_service.wire.checks import level_name, parse
from muggins_service.wire.view_decoding import SeenView, decode_seat_view

__all__ = [
    "Budget",
    "ChooseAction",
    "Chosen",
    "Level",
    "Strength",
    "choose_action_answer",
    "choose_action_request",
    "decode_budget",
    "decode_choose_action",
    "decode_choose_action_answer",
    "decode_list_levels",
    "decode_seed",
    "list_levels_answer",
    "set_budget",
]

_LONGEST_SEED: Final = 64


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thinking is allowed or was done, as counts; 0: not bounded by this."""

    iterations: int = 0
    samples: int = 0
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Strength:
    """What was measured of a level against another, over mirrored pairs of whole matches."""

    rule_set_id: str
    seats: int
    against: str
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent that can take a seat; `budget` is absent where it does not search."""

    level: str
    description: str
    engine: str
    budget: Budget | None = None
    strengths: tuple[Strength, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseAction:
    """A decision asked for: from what the seat knows, by a level or within a budget."""

    seen: SeenView
    strength: str | Budget
    seed: bytes


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision as a server of opponents answers it; a placement has its claim with it."""

    action: Action
    engine: str
    fallback: bool
    used: Budget | None


def decode_list_levels(raw: bytes) -> str:
    """ListLevels: the rule set whose strengths are wanted, empty for all."""
    return parse(pb.ListLevelsRequest, raw).rule_set_id


def list_levels_answer(levels: Iterable[Level]) -> bytes:
    """A ListLevelsResponse."""
    message = pb.ListLevelsResponse()
    for level in levels:
        info = message.levels.add(
            level=level.level, description=level.description, engine=level.engine
        )
        if level.budget is not None:
            set_budget(info.budget, level.budget)
        for strength in level.strengths:
            info.strengths.add(
                rule_set_id=strength.rule_set_id,
                seats=strength.seats,
                against=strength.against,
                win_rate=strength.win_rate,
                win_rate_low=strength.win_rate_low,
                win_rate_high=strength.win_rate_high,
                pairs=strength.pairs,
            )
    return message.SerializeToString()


def decode_choose_action(raw: bytes) -> ChooseAction:
    """ChooseAction."""
    message = parse(pb.ChooseActionRequest, raw)
    strength: str | Budget
    match message.WhichOneof("strength"):
        case "level":
            strength = level_name(message.level, "level")
        case "budget":
            strength = decode_budget(message.budget)
        case None:
            raise malformed_field("strength", "A level or a budget is required.")
        case kind:
            assert_never(kind)
    if not message.HasField("view"):
        raise malformed_field("view", "A view is required.")
    return ChooseAction(decode_seat_view(message.view), strength, decode_seed(message.seed))


def decode_budget(message: analysis_pb2.Budget) -> Budget:
    """A budget with at least one count."""
    budget = Budget(message.iterations, message.samples, message.nodes)
    if budget == Budget():
        raise malformed_field("budget", "At least one count is required.")
    return budget


def decode_seed(seed: bytes) -> bytes:
    """A seed of a decision or an analysis."""
    if len(seed) > _LONGEST_SEED:
        raise malformed_field("seed", "A seed is up to 64 bytes.")
    return seed


def choose_action_answer(
    action: Action,
    seen: SeenView,
    engine: str,
    *,
    fallback: bool = False,
    used: Budget | None = None,
) -> bytes:
    """A ChooseActionResponse to the view that was `seen`.

    The action is one of the rules: the placement that a call names by its number is told by its
    sequence, and a claim with a placement beside it.
    """
    message = pb.ChooseActionResponse(fallback=fallback, engine=engine)
    set_action(
        message.action, Call(seen.placement_sequence) if isinstance(action, Call) else action
    )
    if isinstance(action, Place) and action.claim is not None:
        message.claim.points = action.claim
    if used is not None:
        set_budget(message.used, used)
    return message.SerializeToString()


def choose_action_request(view: bytes, level: str, seed: bytes) -> bytes:
    """A ChooseActionRequest to another server, from the bytes of a SeatView."""
    seen = views_pb2.SeatView.FromString(view)
    return pb.ChooseActionRequest(view=seen, level=level, seed=seed).SerializeToString()


def decode_choose_action_answer(raw: bytes) -> Chosen:
    """A ChooseActionResponse of another server; MALFORMED_FIELD where it is none."""
    message = parse(pb.ChooseActionResponse, raw)
    used = message.used
    return Chosen(
        with_claim(decode_action(message.action), message),
        message.engine,
        message.fallback,
        Budget(used.iterations, used.samples, used.nodes) if message.HasField("used") else None,
    )


def set_budget(message: analysis_pb2.Budget, budget: Budget) -> None:
    """Fill an empty Budget."""
    message.iterations = budget.iterations
    message.samples = budget.samples
    message.nodes = budget.nodes
