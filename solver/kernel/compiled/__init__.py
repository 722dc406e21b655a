"""The compiled modules of the kernel, if a C compiler made them, and the C types of their sources one folder up."""
