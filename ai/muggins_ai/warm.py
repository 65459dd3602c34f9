"""Makes the machine code of the strongest opponents, so that no game has to wait for it.

`python -m muggins_ai.warm` compiles once; numba keeps the code in NUMBA_CACHE_DIR, beside the
source, or in the user's cache. A process that plays loads it from there by `warm_up`.
"""

import sys
import time

from muggins_ai.levels import opponent_of
from muggins_rules.evolving import evolve_all
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.presets import preset
from muggins_rules.state import new_match
from muggins_rules.viewing import seat_view

__all__ = ["main", "warm_up"]


def warm_up() -> None:
    """Let the strongest opponent decide once, at a table whose code serves every other."""
    secret, nonces = bytes(32), (b"", b"")
    rule_set = preset("muggins")
    chance = RoundChance(
        shuffled_deck(secret, "warm", 1, nonces, 6), shuffled_lot(secret, "warm", 1, nonces, 6)
    )
    state = new_match(rule_set, 2)
    state = evolve_all(state, deal_round(state, chance))
    assert state.table is not None, "the round is dealt"
    assert state.table.turn is not None, "somebody opens"
    view = seat_view(state, state.table.turn)
    for level in ("regular", "strongest"):
        opponent_of(level).choose(view, secret)


def main() -> int:
    """Compile and tell how long it took; the exit status."""
    started = time.monotonic()
    warm_up()
    sys.stdout.write(f"opponents are ready after {time.monotonic() - started:.1f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
