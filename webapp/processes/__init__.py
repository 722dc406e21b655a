"""The processes of a server: page processes, a pool for long work, and the supervisor that runs them."""
