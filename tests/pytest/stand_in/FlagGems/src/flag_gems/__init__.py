"""Stand-in for flag_gems: which vendor, and operators that a `with` makes active."""

import os

from . import runtime, tuner  # noqa: F401

__version__ = "5.1.stub"
vendor_name = os.environ.get("STUB_VENDOR", "nvidia")
device = os.environ.get("STUB_DEVICE", "cuda")
active = False


class use_gems:
    def __init__(self, exclude=None):
        self.exclude = exclude

    def __enter__(self):
        global active
        active = True

    def __exit__(self, *_):
        global active
        active = False
