"""Generated from `protos/muggins/v1`; this file alone is written by hand."""
