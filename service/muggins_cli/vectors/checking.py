"""Cases against the engine: each expected field compared with what the engine answers."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from muggins_cli.vectors.case import Case
from muggins_cli.vectors.ending import (
    answer_claims,
    answer_match,
    answer_opener,
    answer_settlement,
)
from muggins_cli.vectors.faults import CaseError, Fault
from muggins_cli.vectors.playing import (
    answer_hand_sizes,
    answer_legality,
    answer_next_seat,
    answer_placement,
    answer_turn,
)

__all__ = ["Mismatch", "check_case", "check_cases"]


class Mismatch(NamedTuple):
    """What is wrong with a case: a field that differs, or a fault, which has no expectation."""

    case: str
    field: str
    expected: str
    got: str


class _Group(NamedTuple):
    """How the cases of a group are answered, and the fields that they have."""

    answer: Callable[[Case], dict[str, object]]
    required: frozenset[str]
    optional: frozenset[str] = frozenset()


_GROUPS: Final = {
    "placement": _Group(answer_placement, frozenset({"moves"})),
    "legality": _Group(answer_legality, frozenset({"moves", "attempt"})),
    "settlement": _Group(
        answer_settlement, frozenset({"hands", "end"}), optional=frozenset({"went_out"})
    ),
    "match": _Group(
        answer_match,
        frozenset({"scores_before", "event"}),
        optional=frozenset({"mover_index", "earned", "was_last_tile", "settlement_if_reached"}),
    ),
    "turn": _Group(answer_turn, frozenset({"open_values", "hand", "stock"})),
    "opener": _Group(answer_opener, frozenset({"hands", "round"})),
    "next_seat": _Group(answer_next_seat, frozenset({"seat"})),
    "claims": _Group(
        answer_claims, frozenset({"earned", "opponent_calls"}), optional=frozenset({"claimed"})
    ),
    "hand_sizes": _Group(answer_hand_sizes, frozenset()),
}

_UNORDERED: Final = frozenset({"contributions", "open_ends", "spinners", "hand_after"})
"""Expected lists whose order says nothing."""


def check_cases(cases: Iterable[Case]) -> Iterator[list[Mismatch]]:
    """What is wrong with each case in turn; an id that was seen before is."""
    seen: set[str] = set()
    for case in cases:
        mismatches = check_case(case)
        name = _name(case)
        if name in seen:
            mismatches = [*mismatches, _fault(name, CaseError(Fault.DUPLICATE_ID, name))]
        seen.add(name)
        yield mismatches


def check_case(case: Case) -> list[Mismatch]:
    """What is wrong with a case: nothing, one fault, or each expected field that differs."""
    try:
        return list(_mismatches(case))
    except CaseError as error:
        return [_fault(_name(case), error)]


def _mismatches(case: Case) -> Iterator[Mismatch]:
    group = _GROUPS.get(case.group)
    if group is None:
        raise CaseError(Fault.UNKNOWN_GROUP, case.group)
    case.check_fields(group.required, group.optional)
    name, expect = case.id, case.expect
    answered = group.answer(case)
    for field in expect:
        if field not in answered:
            raise CaseError(Fault.UNKNOWN_FIELD, f"expect.{field}")
    for field, expected in expect.items():
        got = answered[field]
        if _comparable(field, expected) != _comparable(field, got):
            yield Mismatch(name, field, _text(expected), _text(got))


def _comparable(field: str, value: object) -> str | list[str]:
    """A value as text that differs where the values do, whole numbers and flags included."""
    if field in _UNORDERED and isinstance(value, list):
        return sorted(map(_text, value))
    return _text(value)


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _name(case: Case) -> str:
    name = case.fields.get("id")
    return name if isinstance(name, str) and name else f"({case.group} without id)"


def _fault(name: str, error: CaseError) -> Mismatch:
    return Mismatch(name, error.fault.value, "", error.detail)
