"""A process of the server, which the watcher describes on standard input. Only the watcher starts it."""

from multiprocessing.connection import Connection

from webapp.processes.child import Child

Child(Connection(0)).run()
