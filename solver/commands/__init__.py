"""The subcommands of `noughts`, a module each: `add_command` adds its parser, whose `run` does the work."""
