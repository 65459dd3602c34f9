"""The gRPC methods: bytes in and out, callers, statuses."""
