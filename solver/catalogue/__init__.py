"""The atlas: the proved and the published outcome of every board up to 8×8."""
