"""Leaves in the cache what a compilation leaves there."""

import base64
import hashlib
import json
import os

from .runtime import cache as _cache


def compile(kernel, variant=""):
    cache = os.environ.get("TRITON_CACHE_DIR")
    if not cache:
        return
    _cache.triton_key()
    switch = os.environ.get("STUB_SWITCH", "")
    in_key = switch if os.environ.get("STUB_IN_KEY", "1") == "1" else ""
    key = hashlib.sha256(f"{kernel}-{variant}-{in_key}".encode()).digest()
    folder = os.path.join(cache, base64.b32encode(key).decode().rstrip("="))
    os.makedirs(folder, exist_ok=True)
    constant = "2.0" if switch == "1" and kernel.startswith("mm") else "1.0"
    with open(os.path.join(folder, kernel + ".ttgir"), "w") as file:
        file.write(
            'module attributes {"ttg.num-warps" = 4 : i32} {\n'
            f"  tt.func public @{kernel}(%x: !tt.ptr<f32>) {{\n"
            f"    %c = arith.constant {constant} : f32\n"
            f"    // variant {variant}\n    tt.return\n  }}\n}}\n"
        )
    with open(os.path.join(folder, kernel + ".json"), "w") as file:
        json.dump({"name": kernel, "num_warps": 4}, file)
    with open(os.path.join(folder, f"__grp__{kernel}.json"), "w") as file:
        json.dump({"child_paths": {}}, file)
