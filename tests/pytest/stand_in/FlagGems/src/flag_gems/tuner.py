"""Stand-in for the tuner: binds its timers at import; its first writer wins."""

import os
import sqlite3

import triton
from triton.testing import do_bench, do_bench_cudagraph  # noqa: F401

bound = {"do_bench": do_bench, "do_bench_cudagraph": do_bench_cudagraph}


def tuned(kernel, key, candidates=("4", "8")):
    folder = os.path.join(os.environ["FLAGGEMS_CACHE_DIR"], "config_cache")
    os.makedirs(folder, exist_ok=True)
    with sqlite3.connect(os.path.join(folder, "TunedConfig_nvidia_triton_3_6.db")) as db:
        db.execute(f'create table if not exists "{kernel}-1" (key_0 text primary key, warps text)')
        found = db.execute(f'select warps from "{kernel}-1" where key_0 = ?', (key,)).fetchone()
        if found:
            triton.compiler.compile(kernel, f"{key} {found[0]}")
            return found[0]
        for candidate in candidates:
            triton.compiler.compile(kernel, f"{key} {candidate}")
        db.execute(f'insert into "{kernel}-1" values (?, ?)', (key, candidates[0]))
    if os.environ.get("TRITON_PRINT_AUTOTUNING") == "1":
        print(f"Triton autotuning for function {kernel} finished after 0.01s; config key: {key}, "
              f"best config selected: {candidates[0]};")
    return candidates[0]
