"""How matches go, told to the operator's own systems until they have taken it."""
