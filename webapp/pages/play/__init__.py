"""The pages people play on: a link is read, played on, and shown."""
