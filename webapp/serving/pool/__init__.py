"""The pool of processes for long work: the gate, the questions to it, and the messages between processes."""
