"""The live matches of a process: the command engine, and what it remembers of each match."""
