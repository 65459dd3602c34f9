"""Search over what a seat cannot see: worlds are sampled from its belief and played in one tree.

Kernel-style modules work on integers, floats and arrays that belong to the caller, and run the
same compiled or plain; `muggins_ai.compiled` makes machine code of them.
"""
