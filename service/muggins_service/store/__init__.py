"""Where the records of matches are kept: the port and its adapters."""
