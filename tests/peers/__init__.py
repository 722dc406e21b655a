"""The project beside the field's own tools: `make peers` prints what they agree on."""
