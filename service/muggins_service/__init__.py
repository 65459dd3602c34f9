"""The game server: `main` runs it, `app` puts it together from the folders below."""
