"""No test reads or writes the proofs that its user keeps; those about the store name folders of their own."""

import os

os.environ["NOUGHTS_CACHE"] = "off"
