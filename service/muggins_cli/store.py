"""`muggins store`: copy a store's file, check it, or forget a player's name in it."""

import argparse
import sys
from pathlib import Path

from muggins_service.store.sqlite_file import StoreRefused
from muggins_service.store.upkeep import backup, check, forget_name
from muggins_service.wire.records import UnreadableRecord

__all__ = ["add_arguments", "run"]

FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `muggins store`."""
    doing = parser.add_subparsers(dest="doing", required=True, metavar="WHAT")
    copying = doing.add_parser("backup", help="copy a store, also while a server uses it")
    copying.add_argument("file", type=Path)
    copying.add_argument("--to", type=Path, required=True, help="where the copy is put")
    checking = doing.add_parser("check", help="look whether a store is sound")
    checking.add_argument("file", type=Path)
    forgetting = doing.add_parser("forget-name", help="take a player's name out of every match")
    forgetting.add_argument("file", type=Path)
    forgetting.add_argument("--name", required=True)


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked; the exit status."""
    path: Path = arguments.file
    try:
        if arguments.doing == "backup":
            held = backup(path, arguments.to)
            print(f"{arguments.to}: {held.matches} matches, {held.records} records")
        elif arguments.doing == "check":
            held = check(path)
            print(f"sound: version {held.version}, {held.matches} matches, {held.records} records")
        else:
            print(f"changed {forget_name(path, arguments.name)} records")
    except (StoreRefused, OSError) as error:
        print(f"muggins store: {error}", file=sys.stderr)
        return FAILED
    except UnreadableRecord as error:
        print(f"muggins store: {path} holds a record that cannot be read: {error}", file=sys.stderr)
        return FAILED
    return 0
