"""The parts of the server that know no page: connections, the gate, the wire between processes, the log, the limits."""
