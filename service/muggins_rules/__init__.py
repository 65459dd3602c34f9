"""The rules of the Muggins and All Fives family of domino games, as a functional core.

`decide` checks an action and tells the facts that follow; `evolve` applies a fact; `project`
takes away what a viewer may not see; `legal_actions` is complete; `view` is built from nothing.
Chance is an input (`fair_deal` derives it), and the package does no I/O, reads no clock and
needs only the standard library.
"""

from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.deciding import close_window, decide
from muggins_rules.evolving import evolve, evolve_all
from muggins_rules.legal import legal_actions, legal_outcomes
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.places import (
    AttachPoint,
    Contribution,
    Count,
    End,
    Orientation,
    Placement,
    Port,
)
from muggins_rules.presets import PRESETS, preset
from muggins_rules.projecting import project
from muggins_rules.refusal import IllegalAction, Refusal
from muggins_rules.ruleset import RULES_VERSION, RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import Tile
from muggins_rules.viewing import view
from muggins_rules.views import PUBLIC, LegalAction, Phase, PublicView, SeatView, Viewer

__all__ = [
    "PRESETS",
    "PUBLIC",
    "RULES_VERSION",
    "Action",
    "AttachPoint",
    "Call",
    "Claim",
    "Contribution",
    "Count",
    "Draw",
    "End",
    "IllegalAction",
    "LegalAction",
    "MatchState",
    "Orientation",
    "Pass",
    "Phase",
    "Place",
    "Placement",
    "Port",
    "PublicView",
    "Refusal",
    "RoundChance",
    "RuleSet",
    "SeatView",
    "Tile",
    "Viewer",
    "close_window",
    "deal_round",
    "decide",
    "evolve",
    "evolve_all",
    "legal_actions",
    "legal_outcomes",
    "new_match",
    "preset",
    "project",
    "view",
]
