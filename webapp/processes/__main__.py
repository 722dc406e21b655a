"""A process of the server; only the watcher starts it."""

from webapp.processes.child import main

main()
