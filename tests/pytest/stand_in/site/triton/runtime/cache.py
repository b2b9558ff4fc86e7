"""The compiler's own key, worked out when the first kernel is compiled."""

import functools
import os


@functools.lru_cache()
def triton_key():
    return "3.6.0-" + os.environ.get("STUB_COMPILER", "a build")
