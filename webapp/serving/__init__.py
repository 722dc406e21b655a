"""The server: its front answers connections, its pool does long work, and `http` has what both have in common."""
