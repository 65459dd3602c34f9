"""What a world is worth to each side at the end of a line of search."""

from muggins_ai.evaluate.public import OFF_TABLE
from muggins_ai.evaluate.stakes import Stakes, utilities
from muggins_ai.evaluate.value import leaf_values
from muggins_ai.search.steps import ENDED, IN_PLAY, META, World
from muggins_ai.search.workspace import PUBLIC, VALUES, Ints, Net, Scratch, Work

__all__ = ["evaluate"]


def evaluate(
    rules: Ints, stakes: Stakes, value_net: Net, value_scratch: Scratch, world: World, work: Work
) -> None:
    """Write the utility of each side since the root, in 1/1024 raw point."""
    values = work[VALUES]
    if world[META][ENDED] == IN_PLAY:
        leaf_values(rules, world, work[PUBLIC][OFF_TABLE], value_net, value_scratch, values)
    utilities(rules, world, stakes, values)
