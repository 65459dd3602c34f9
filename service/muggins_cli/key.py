"""`muggins key`: an API key for its holder, and the line for the server's file of keys."""

import argparse
import secrets
import sys
from typing import Final

from muggins_service.doors.key_file import (
    BadKeyFile,
    key_line,
    parse_expiry,
    parse_scopes,
    written_key,
)
from muggins_service.doors.scopes import Scope, is_principal

__all__ = ["add_arguments", "run"]

_ID_BYTES: Final = 6
_KEY_BYTES: Final = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `muggins key`."""
    parser.add_argument("principal", help="whose key it is: 1 to 128 printable ASCII characters")
    parser.add_argument(
        "--scopes",
        default=Scope.PLAYER.value,
        help=f"what it may do, of {', '.join(Scope)}, with commas between (default: player)",
    )
    parser.add_argument("--expires", default="", help="date or time (ISO 8601) of its end")


def run(arguments: argparse.Namespace) -> int:
    """Print the line on standard output and the key on standard error; the exit status.

    So `muggins key ana >> keys` adds the line, and the key is seen once, where it was asked for.
    """
    try:
        scopes = parse_scopes(arguments.scopes)
        if arguments.expires:
            parse_expiry(arguments.expires)
    except BadKeyFile as error:
        print(f"muggins key: {error}", file=sys.stderr)
        return 2
    if not is_principal(arguments.principal):
        print("muggins key: a principal has up to 128 ASCII characters, no space", file=sys.stderr)
        return 2
    key_id = secrets.token_hex(_ID_BYTES)
    text = written_key(key_id, secrets.token_urlsafe(_KEY_BYTES))
    print(key_line(key_id, arguments.principal, scopes, text, arguments.expires), flush=True)
    print(f"The key, which is shown this once: {text}", file=sys.stderr)
    return 0
