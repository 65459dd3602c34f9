"""The one codec between the contract's messages and the domain: no other package knows of both.

Requests are decoded at the door into plain values, with every shape error raised as a
`ServiceError`; whatever leaves is encoded once into bytes that may be shared. Nothing here decides
anything about a match, and nothing knows of a transport.
"""
