"""The atlas: what is proved and what is published of every board up to 8×8."""
