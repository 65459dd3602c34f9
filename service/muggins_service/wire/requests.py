"""The requests of MatchService by the name of their method, decoded from bytes into values.

Whatever is raised here is a `ServiceError`, before anything was looked up or changed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from muggins_service.wire.envelopes import Envelope, Mutation
from muggins_service.wire.lobby import (
    decode_agree_to_end,
    decode_control_match,
    decode_create_match,
    decode_find_match,
    decode_join_match,
    decode_leave_match,
    decode_resign_match,
    decode_reveal_nonce,
    decode_set_seat_options,
)
from muggins_service.wire.moves import (
    Attach,
    Ping,
    PlayFrame,
    StreamCommand,
    decode_call_muggins,
    decode_claim_points,
    decode_draw_tile,
    decode_get_hint,
    decode_pass_turn,
    decode_play_frame,
    decode_play_tile,
    decode_show_hint,
)
from muggins_service.wire.queries import (
    Cursor,
    ListMatches,
    MatchFilter,
    ObserveMatch,
    WatchMatches,
    decode_export_match,
    decode_get_match,
    decode_list_matches,
    decode_observe_match,
    decode_watch_matches,
    lobby_page_token,
)

__all__ = [
    "MUTATIONS",
    "Attach",
    "Cursor",
    "Envelope",
    "ListMatches",
    "MatchFilter",
    "Mutation",
    "ObserveMatch",
    "Ping",
    "PlayFrame",
    "StreamCommand",
    "WatchMatches",
    "decode_export_match",
    "decode_get_match",
    "decode_list_matches",
    "decode_observe_match",
    "decode_play_frame",
    "decode_show_hint",
    "decode_watch_matches",
    "lobby_page_token",
]

MUTATIONS: Final[Mapping[str, Callable[[bytes], Mutation]]] = MappingProxyType(
    {
        "CreateMatch": decode_create_match,
        "JoinMatch": decode_join_match,
        "FindMatch": decode_find_match,
        "RevealNonce": decode_reveal_nonce,
        "SetSeatOptions": decode_set_seat_options,
        "LeaveMatch": decode_leave_match,
        "ResignMatch": decode_resign_match,
        "AgreeToEnd": decode_agree_to_end,
        "ControlMatch": decode_control_match,
        "PlayTile": decode_play_tile,
        "DrawTile": decode_draw_tile,
        "PassTurn": decode_pass_turn,
        "ClaimPoints": decode_claim_points,
        "CallMuggins": decode_call_muggins,
        "GetHint": decode_get_hint,
    }
)
"""Every method that changes a match, and how its request is decoded."""
