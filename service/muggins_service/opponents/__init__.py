"""Opponents and stand-ins at the tables: who has to be asked, and the worker processes."""
