"""What a position is worth and which moves are likely, learned from self-play, in integers.

Everything that decides is kernel-style and in fixed point, so that each machine gives the same
answer. Signatures, for search and belief:

    value.leaf_values(rules, world, left, net, scratch, out)
        out[side], units of 1/1024 raw point: expected future utility of each side of a settled
        world that is in play (`search.steps`), to the end of the round and with what opening the
        next one is worth. `left` is the mask of the tiles that are not on the table. Points scored
        already are not in it. Raw points: the rule set's unit times its divisor. Utility: points
        less the mean of the other sides' points.
    policy.move_logits(rules, public, seat, hand, moves, found, net, scratch, out)
        out[index], units of 1/1024 raw point: what each of the first `found` moves of `seat`,
        which holds `hand`, is worth beside the others, from what that seat knows. Only
        differences mean anything.
    policy.move_weights(rules, public, seat, hand, moves, found, temperature, net, scratch, out)
        out[index]: relative chance of each move at a temperature in units of 1/1024 raw point,
        integers 1..65536, the likeliest 65536.
    equity.equity(sides, table, to_go, opener, out)
        out[side], units of 1/65536: the chance to win the match from raw points to go.

`net` is `weights.value_net(...)` or `weights.policy_net(...)`, a tuple of arrays; `scratch` is made
by `weights.value_scratch()` or `weights.policy_scratch()`. `public` is an array of PUBLIC_SIZE
integers, what everybody knows: see `public`, which also keeps it up to date by draws and passes.
`families.family_of(rule_set, seats)` names the nets.
"""
