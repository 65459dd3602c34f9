"""Streams: what is sent to whoever watches a match or the lobby."""
