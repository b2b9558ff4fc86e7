"""Stand-in for triton."""

__version__ = "3.6.0+stub"

from . import compiler, runtime, testing  # noqa: E402,F401
