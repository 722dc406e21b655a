"""What holds for every test: it leaves its user's proofs alone, and is never failed for being slow."""

import os

from hypothesis import settings

os.environ["NOUGHTS_CACHE"] = "off"  # those about the store name folders of their own
settings.register_profile("noughts", deadline=None)
settings.load_profile("noughts")
