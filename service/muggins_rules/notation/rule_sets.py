"""Rule sets as text: a preset, or a name and every parameter.

Parameters are named as the fields of `RuleSet` are.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.reader import Kind, Reader, Token, read_whole
from muggins_rules.presets import PRESETS, preset
from muggins_rules.rule_set_check import InvalidRuleSet, check_rule_set
from muggins_rules.ruleset import (
    Deal,
    HouseRules,
    Layout,
    OpenerRule,
    RuleSet,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)

__all__ = ["format_rule_set", "parse_rule_set", "read_rule_set"]

Value = bool | int | tuple[int, int, int] | StrEnum
W = TypeVar("W", bound=StrEnum)

_BOOLEANS: Final = {"true": True, "false": False}


def format_rule_set(rule_set: RuleSet) -> str:
    """A rule set as text: the preset where it is one, else a line for each parameter."""
    named = PRESETS.get(rule_set.id)
    if named is not None and rule_set == replace(named, calling=rule_set.calling):
        return f"{rule_set.id} calling" if rule_set.calling else rule_set.id
    lines = [
        f"  {name} = {_format_value(value)}" for name, value in _parameters_of(rule_set).items()
    ]
    return "\n".join([rule_set.id, *lines])


def parse_rule_set(text: str) -> RuleSet:
    """The rule set of a text, one that can be played; NotationError."""
    return read_whole(text, read_rule_set)


def read_rule_set(reader: Reader) -> RuleSet:
    """The rule set that has to come next."""
    name = reader.take(Kind.WORD, "the id of a rule set")
    is_parameter = reader.at(Kind.WORD) and (
        reader.is_followed_by("=") or reader.is_followed_by(".")
    )
    if is_parameter:
        return _read_custom(reader, name)
    if name.text not in PRESETS:
        raise reader.error(NotationReason.UNKNOWN_RULE_SET, name)
    return preset(name.text, calling=reader.skip_word("calling"))


def _parameters_of(value: object, prefix: str = "") -> dict[str, Value]:
    """The parameters of a rule set or a part of it by name, in the order of the fields."""
    found: dict[str, Value] = {}
    assert is_dataclass(value), "a rule set consists of dataclasses"
    for field in fields(value):
        if prefix + field.name == "id":
            continue
        part = getattr(value, field.name)
        if is_dataclass(part):
            found |= _parameters_of(part, f"{field.name}.")
        else:
            found[prefix + field.name] = part
    return found


_MODEL: Final = _parameters_of(RuleSet("model"))
"""Every parameter, with a value of its type."""


def _format_value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value)


def _read_custom(reader: Reader, name: Token) -> RuleSet:
    values: dict[str, Value] = {}
    while reader.at(Kind.WORD):
        token = reader.token
        parameter = _read_name(reader)
        if parameter not in _MODEL:
            raise reader.error(NotationReason.UNKNOWN_PARAMETER, token)
        if parameter in values:
            raise reader.error(NotationReason.REPEATED_PARAMETER, token)
        reader.sign("=")
        values[parameter] = _read_value(reader, _MODEL[parameter])
    for parameter in _MODEL:
        if parameter not in values:
            raise reader.error(NotationReason.MISSING_PARAMETER, reader.token, parameter)
    rule_set = _built(name.text, values)
    try:
        check_rule_set(rule_set)
    except InvalidRuleSet as error:
        raise reader.error(NotationReason.INVALID_RULE_SET, name, str(error)) from error
    return rule_set


def _read_name(reader: Reader) -> str:
    name = reader.take(Kind.WORD, "a parameter").text
    if reader.skip_sign("."):
        return f"{name}.{reader.take(Kind.WORD, 'a parameter').text}"
    return name


def _read_value(reader: Reader, model: Value) -> Value:
    """A value of the type of `model`."""
    if isinstance(model, bool):
        return reader.choice(_BOOLEANS)
    if isinstance(model, StrEnum):
        return reader.choice({member.value: member for member in type(model)})
    if isinstance(model, tuple):
        return reader.number(), reader.number(), reader.number()
    return reader.number()


def _built(rule_set_id: str, values: Mapping[str, Value]) -> RuleSet:
    """The rule set of these values, every one given."""
    given = _Parameters(values)
    return RuleSet(
        rule_set_id,
        deal=Deal(
            highest_pip=given.number("deal.highest_pip"),
            hand_size_by_seats=given.by_seats("deal.hand_size_by_seats"),
            boneyard_reserve=given.number("deal.boneyard_reserve"),
        ),
        turns=Turns(
            anticlockwise=given.switch("turns.anticlockwise"),
            first_opener=given.choice("turns.first_opener", OpenerRule),
            opener_after_block=given.choice("turns.opener_after_block", OpenerRule),
            must_lead_highest_double=given.switch("turns.must_lead_highest_double"),
        ),
        layout=Layout(spinner=given.choice("layout.spinner", SpinnerRule)),
        scoring=Scoring(
            going_out=given.choice("scoring.going_out", SettlementRule),
            blocked=given.choice("scoring.blocked", SettlementRule),
            points_divisor=given.number("scoring.points_divisor"),
            pairs=given.switch("scoring.pairs"),
            target_by_seats=given.by_seats("scoring.target_by_seats"),
        ),
        calling=given.switch("calling"),
        house_rules=HouseRules(
            exact_target=given.switch("house_rules.exact_target"),
            first_score_minimum=given.number("house_rules.first_score_minimum"),
            blocked_tie_shares=given.switch("house_rules.blocked_tie_shares"),
            round_limit=given.number("house_rules.round_limit"),
        ),
        rules_version=given.number("rules_version"),
    )


class _Parameters:
    """Values by name, taken as the type that their reading has made sure of."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def number(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int), name
        return value

    def switch(self, name: str) -> bool:
        value = self._values[name]
        assert isinstance(value, bool), name
        return value

    def by_seats(self, name: str) -> tuple[int, int, int]:
        value = self._values[name]
        assert isinstance(value, tuple), name
        return value

    def choice(self, name: str, values: type[W]) -> W:
        value = self._values[name]
        assert isinstance(value, values), name
        return value
