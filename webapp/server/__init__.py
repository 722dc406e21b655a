"""What the processes of a server are made of, and knows no page: connections, the gate, the wire, the log, limits."""
