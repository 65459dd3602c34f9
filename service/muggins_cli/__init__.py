"""The `muggins` command."""
