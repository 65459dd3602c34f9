"""What a seat can ask for."""

from dataclasses import dataclass

from muggins_rules.places import Placement

__all__ = ["Action", "Call", "Claim", "Draw", "Pass", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """Put a tile on the table; under calling, `claim` announces its points with it."""

    placement: Placement
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take one tile from the boneyard, or go on until one fits.

    A run that ends without a fit, since nothing more is drawable, is followed by the pass.
    """

    until_playable: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """Give up the turn, having no placement and nothing to draw."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Announce the points of one's own last placement, a whole number from 0."""

    points: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call "Muggins!" on another side's placement, named by its number within the round from 1."""

    placement: int


Action = Place | Draw | Pass | Claim | Call
"""Any action of a seat."""
