"""What holds for every test: it leaves its user's proofs alone, and is never failed for being slow."""

import os
import signal

from hypothesis import settings

os.environ["NOUGHTS_CACHE"] = "off"  # those about the store name folders of their own
settings.register_profile("many", deadline=None)
settings.register_profile("few", deadline=None, max_examples=25)
settings.load_profile("few")  # `make test-all` asks for many
# A shell's background job ignores interrupts, and so would every process that a test starts to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)
