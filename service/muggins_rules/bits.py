"""The primitives of the kernel style: questions about masks for which processors have instructions.

Both are plain integer arithmetic that every compiler of the kernel takes; `kernel_loader` can swap
them for faster forms with the same answers.
"""

__all__ = ["popcount", "trailing_zeros"]


def popcount(mask: int) -> int:
    """The number of bits set in a mask of up to 32 bits."""
    mask -= mask >> 1 & 0x55555555
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return (mask * 0x01010101 & 0xFFFFFFFF) >> 24


def trailing_zeros(mask: int) -> int:
    """The place of the lowest bit set in a mask of up to 32 bits that is not 0."""
    return popcount((mask & -mask) - 1)
