from dataclasses import dataclass
from enum import Enum
from typing import Any, Optional


class BenchMode(Enum):
    KERNEL = "kernel"
    OPERATOR = "operator"
    CUDAGRAPH = "cudagraph"


@dataclass
class BenchmarkMetrics:
    shape_detail: Any = None
    latency_base: Optional[float] = None
    latency: Optional[float] = None
    speedup: Optional[float] = None
    error_msg: Optional[str] = None


@dataclass
class BenchmarkResult:
    op_name: str
    dtype: str
    result: list

    def __str__(self):
        lines = [f"\nOperator: {self.op_name}  Performance Test (dtype={self.dtype})"]
        lines += [f"{m.latency_base} {m.latency} {m.shape_detail}" for m in self.result]
        return "\n".join(lines) + "\n"
