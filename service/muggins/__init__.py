"""The contract of the game service: generated code in `muggins.v1`, its words in `muggins.i18n`."""
