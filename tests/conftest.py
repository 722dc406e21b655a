"""What holds for every test: it leaves its user's proofs alone, and is never failed for being slow."""

import os
import signal

from hypothesis import settings

os.environ["NOUGHTS_CACHE"] = "off"  # those about the store name folders of their own
settings.register_profile("noughts", deadline=None)
settings.load_profile("noughts")
# A shell's background job ignores interrupts, and so would every process that a test starts to interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)
