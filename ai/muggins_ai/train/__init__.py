"""Training of the learned value and policy from nothing, by self-play of compiled rounds."""
