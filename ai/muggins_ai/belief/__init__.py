"""What a seat can infer about the tiles that it does not see.

A round as a seat saw it is a *history* (`history`, `seen.history_of`): integers, one entry for each
turn, the same for a view of the service and for a loop that plays millions of rounds. From it
follow, in kernel style, the slots that hidden tiles may lie in (`constraints`), the exact posterior
over one other hand (`posterior`), worlds drawn at random for any number of seats (`worlds`), and
how well the choices of the others fit a world (`likelihood`). `pool.fill_pool` puts them together:

    fill_pool(rules, history, viewer, hand, weights, net, scratch, budget, seed, work,
              pool_hands, pool_weights) -> number of worlds

    pool_hands    4 masks a world: hands by seat, the viewer's own among them, unused seats 0
    pool_weights  positive whole numbers whose sum is at most about 2**30
    weights       5 whole numbers (NETWORK, POINTS, GREEDY, GREEDY_PLUS, UNIFORM) for each of 4
                  seats; zeros infer nothing from a seat's choices
    net, scratch  of the learned policy (`family_network`), or of none (`no_network`)
    work          arrays of WORK_SIZES integers, zero at first

A loop keeps the history by `begin_history` and `add_turn`, one call for each placement or pass,
and over a match `costs` by `adaptation.add_evidence` after each round and `mix_policies`.
`build_pool` and `learned_weights` do all of it for a view, in workers only. What was learned is an
input of a decision: the same view, weights and seed give the same pool on every machine.
"""

from muggins_ai.belief.believer import (
    DEALS_ONLY,
    MODULES,
    POINTS_ONLY,
    WORK_SIZES,
    Believer,
    NoNetworkError,
    PolicyNet,
    Pool,
    belief_functions,
    build_pool,
    family_network,
    learned_weights,
    no_network,
)
from muggins_ai.belief.seen import history_of

__all__ = [
    "DEALS_ONLY",
    "MODULES",
    "POINTS_ONLY",
    "WORK_SIZES",
    "Believer",
    "NoNetworkError",
    "PolicyNet",
    "Pool",
    "belief_functions",
    "build_pool",
    "family_network",
    "history_of",
    "learned_weights",
    "no_network",
]
