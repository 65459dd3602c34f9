"""The games for researchers: environments of PettingZoo, of numpy arrays, and of OpenSpiel.

All three play rounds by the project's own rules and share one numbering of actions (`numbering`),
one observation (`observing`) and one reward (`tables.utilities`), the same for every rule set and
number of seats:

    aec           one table, a seat at a time, as PettingZoo asks; through `decide` and `evolve`
    vector        many tables at once on the compiled kernel, numpy arrays in and out
    spiel_game    OpenSpiel's `python_muggins`, with chance nodes and `resample_from_infostate`

Each needs packages of the extra `research`, imported with the module and never with this package.
"""

from muggins_ai.environments.numbering import ACTIONS, DRAW, PASS
from muggins_ai.environments.observing import OBSERVATION_SIZE
from muggins_ai.environments.tables import TableError

__all__ = ["ACTIONS", "DRAW", "OBSERVATION_SIZE", "PASS", "TableError"]
