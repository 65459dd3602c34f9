"""The opponents of a match that is over, asked again from its record: did they peek?

`read_decisions` finds what they decided and what they were asked with. `recompute` asks for a
decision once more, from the seat's own view and the revealed secret, and compares. `challenge` asks
with the tiles that the seat could not see dealt otherwise. Opponents run in this process, so it
belongs into commands, never into the server.
"""
