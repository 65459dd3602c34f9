"""The parts of the protobuf wire format from which messages are put together by hand.

A serialised message is the concatenation of its fields, so bytes that many messages share are
made once. Only ascending field order and absent zero values, as the library writes them, are kept
up, so that both ways give the same bytes.
"""

from typing import Final

__all__ = ["delimited", "packed", "varint", "varint_field", "wire_key"]

VARINT: Final = 0
LENGTH_DELIMITED: Final = 2

_SHORT: Final = tuple(bytes((value,)) for value in range(0x80))


def varint(value: int) -> bytes:
    """A whole number from 0, seven bits a byte, the lowest first."""
    if value < 0x80:  # noqa: PLR2004 - what fits into one byte
        return _SHORT[value]
    out = bytearray()
    while value >= 0x80:  # noqa: PLR2004 - a byte with the sign to go on
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def wire_key(field: int, wire_type: int = LENGTH_DELIMITED) -> bytes:
    """What stands before a field's value."""
    return varint(field << 3 | wire_type)


def delimited(key: bytes, payload: bytes) -> bytes:
    """A field of bytes: a string, a message or packed numbers. Also written when empty."""
    return key + varint(len(payload)) + payload


def varint_field(key: bytes, value: int) -> bytes:
    """A field of a number from 0, which is left out for zero."""
    return key + varint(value) if value else b""


def packed(values: tuple[int, ...]) -> bytes:
    """Numbers of either sign as the value of a packed `sint32` field."""
    return b"".join([varint(value << 1 if value >= 0 else ~(value << 1)) for value in values])
