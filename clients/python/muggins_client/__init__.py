"""The typed asynchronous client of the game service.

`connect` gives a `MugginsClient`, whose methods are the calls of the service with typed errors,
deadlines and request ids. `Seat` and `Host` are the handles to keep; `observe` and `play` are
streams that survive cuts and silences. `DealWatch` checks the deals while a match is played, and
`verify_record` a whole match from its export.
"""

from muggins_client.client import MugginsClient, connect
from muggins_client.credentials import tls
from muggins_client.deal_watch import DealWatch
from muggins_client.errors import (
    Exhausted,
    FieldProblem,
    Internal,
    Malformed,
    MugginsError,
    NotFound,
    NotImplementedByServer,
    PermissionDenied,
    ProtocolViolation,
    Refused,
    Replaced,
    StaleVersion,
    TimedOut,
    Unauthenticated,
    Unavailable,
)
from muggins_client.exports import ExportUnreadable, parse_export, read_export, write_export
from muggins_client.findings import Finding, FindingName
from muggins_client.handles import HandleUnreadable, Host, Seat
from muggins_client.kept import Kept
from muggins_client.keys import SeatKeys, new_key, new_request_id
from muggins_client.observing import Observation
from muggins_client.playing import PlayStream
from muggins_client.results import Created, Found, Joined
from muggins_client.seat_calls import MoveResponse
from muggins_client.updates import EventsSeen, PresenceSeen, SnapshotSeen, Update
from muggins_client.values import (
    Orientation,
    Port,
    call,
    claim,
    draw,
    end,
    format_action,
    format_count,
    format_end,
    format_placement,
    format_tile,
    format_tiles,
    pass_turn,
    place,
    placement,
    tile,
)
from muggins_client.verify import Report, verify_record
from muggins_client.webhooks import WebhookNotTrusted, verify_webhook

__all__ = [
    "Created",
    "DealWatch",
    "EventsSeen",
    "Exhausted",
    "ExportUnreadable",
    "FieldProblem",
    "Finding",
    "FindingName",
    "Found",
    "HandleUnreadable",
    "Host",
    "Internal",
    "Joined",
    "Kept",
    "Malformed",
    "MoveResponse",
    "MugginsClient",
    "MugginsError",
    "NotFound",
    "NotImplementedByServer",
    "Observation",
    "Orientation",
    "PermissionDenied",
    "PlayStream",
    "Port",
    "PresenceSeen",
    "ProtocolViolation",
    "Refused",
    "Replaced",
    "Report",
    "Seat",
    "SeatKeys",
    "SnapshotSeen",
    "StaleVersion",
    "TimedOut",
    "Unauthenticated",
    "Unavailable",
    "Update",
    "WebhookNotTrusted",
    "call",
    "claim",
    "connect",
    "draw",
    "end",
    "format_action",
    "format_count",
    "format_end",
    "format_placement",
    "format_tile",
    "format_tiles",
    "new_key",
    "new_request_id",
    "parse_export",
    "pass_turn",
    "place",
    "placement",
    "read_export",
    "tile",
    "tls",
    "verify_record",
    "verify_webhook",
    "write_export",
]
