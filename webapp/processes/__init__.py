"""The processes of a server: the watcher starts page processes, the gate and the provers."""
