"""`muggins admin`: what an operator asks of a running server over its AdminService.

Answers are JSON: one line a match for `list`, one object for the others. Exit status: 0 when it
was done, 1 where the server refuses, 2 where it does not answer or what was given cannot be used.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final, cast

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from muggins.v1 import admin_service_pb2 as pb
from muggins.v1.admin_service_pb2_grpc import AdminServiceStub
from muggins_cli.options import REFUSED, UNUSABLE, bearer_of, complain
from muggins_client import tls

__all__ = ["add_arguments", "run"]

_TIMEOUT_S: Final = 30.0
_DEFAULT: Final = "127.0.0.1:50053"
_SILENT: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The server, the credentials, and what is asked."""
    parser.add_argument(
        "--server", default=_DEFAULT, metavar="HOST:PORT", help=f"its admin port ({_DEFAULT})"
    )
    parser.add_argument(
        "--credentials", type=Path, metavar="FILE", help="file that holds an API key or a token"
    )
    parser.add_argument("--tls-root", type=Path, metavar="FILE", help="authorities of the server")
    parser.add_argument(
        "--tls-name", metavar="NAME", help="name in the server's certificate, if it is another"
    )
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="own certificate, in PEM")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the key of --tls-cert")
    asked = parser.add_subparsers(dest="asked", metavar="WHAT", required=True)
    listed = asked.add_parser("list", help="all matches that are held, newest first")
    listed.add_argument("--principal", default="", help="only those it made or sits in")
    inspected = asked.add_parser("inspect", help="a match: who plays, its timers, what all may see")
    inspected.add_argument("match_id", metavar="MATCH")
    ended = asked.add_parser("end", help="end a match")
    ended.add_argument("match_id", metavar="MATCH")
    ended.add_argument("--reason", required=True, help="why, for the server's log")
    drained = asked.add_parser("drain", help="take no new match any more")
    drained.add_argument("--stop", action="store_true", help="and stop, as SIGTERM does")
    asked.add_parser("reload", help="read certificates and keys again")


def run(arguments: argparse.Namespace) -> int:
    """Ask, and print the answer; the exit status."""
    try:
        channel = _channel(arguments)
        metadata = _metadata(arguments.credentials)
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}")
        return UNUSABLE
    except ValueError as error:
        complain(str(error))
        return UNUSABLE
    with channel:
        try:
            _ask(arguments, AdminServiceStub(channel), metadata)
        except grpc.RpcError as error:
            return _failed(error, arguments.server)
    return 0


def _channel(arguments: argparse.Namespace) -> grpc.Channel:
    if arguments.tls_root is None and arguments.tls_cert is None:
        return grpc.insecure_channel(arguments.server)
    credentials = tls(arguments.tls_root, arguments.tls_cert, arguments.tls_key)
    name = arguments.tls_name
    options = (("grpc.ssl_target_name_override", name),) if name else ()
    return grpc.secure_channel(arguments.server, credentials, options)


def _metadata(path: Path | None) -> tuple[tuple[str, str], ...]:
    if path is None:
        return ()
    return (("authorization", f"Bearer {bearer_of(path)}"),)


def _ask(
    arguments: argparse.Namespace, stub: AdminServiceStub, metadata: tuple[tuple[str, str], ...]
) -> None:
    given: dict[str, Any] = {"metadata": metadata, "timeout": _TIMEOUT_S}
    match arguments.asked:
        case "list":
            request = pb.ListAllMatchesRequest(principal=arguments.principal)
            while True:
                page = stub.ListAllMatches(request, **given)
                for match in page.matches:
                    _say(match)
                request.page_token = page.next_page_token
                if not request.page_token:
                    break
        case "inspect":
            inspect = pb.InspectMatchRequest(match_id=arguments.match_id)
            _say(stub.InspectMatch(inspect, **given), indent=2)
        case "end":
            end = pb.EndMatchRequest(match_id=arguments.match_id, reason=arguments.reason)
            _say(stub.EndMatch(end, **given))
        case "drain":
            _say(stub.Drain(pb.DrainRequest(stop=arguments.stop), **given))
        case _:
            _say(stub.Reload(pb.ReloadRequest(), **given))


def _say(message: Message, indent: int | None = None) -> None:
    fields = MessageToDict(message, preserving_proto_field_name=True)
    print(json.dumps(fields, ensure_ascii=False, indent=indent))


def _failed(error: grpc.RpcError, server: str) -> int:
    # Every error of a call is a call too, whatever the published types say.
    call = cast("grpc.Call", error)
    if call.code() in _SILENT:
        complain(f"nothing answers at {server}")
        return UNUSABLE
    complain(call.details())
    return REFUSED
