"""The kernel as a C compiler made it, if one was at hand, from its modules one folder up and the C types here."""
