"""Replays what Triton's own autotuner chose on the recorded side.

Triton keeps a choice under a key that holds the compiler's hash, and so, where it is read at all,
the switch: the other side would never find it. The plan names the folder of recorded choices; here
they are found by kernel, tuning key and candidates, none of which depends on the compiler. A choice
that was not recorded is tuned as ever, which zl-bench sees by the file it leaves.
"""

import json
import os
import sys

import zl_plan

SUFFIX = ".autotune.json"


def pytest_collection_finish(session):
    module = sys.modules.get("triton.runtime.autotuner")
    tuner = getattr(module, "Autotuner", None)
    recorded = read_records(zl_plan.plan()["replay_autotune"])
    if session.items and recorded and hasattr(tuner, "check_disk_cache"):
        watch(module, tuner, recorded)


def read_records(folder):
    """(file name, tuning key as JSON) → the recorded timings of each such kernel."""
    records = {}
    for path, _, files in os.walk(folder):
        for name in files:
            if name.endswith(SUFFIX):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    content = json.load(file)
                key = (name, json.dumps(content["key"]))
                records.setdefault(key, []).append(content["configs_timings"])
    return records


def watch(module, tuner, records):
    original = tuner.check_disk_cache

    def check_disk_cache(self, tuning_key, configs, bench_fn):
        timings = find(module, records, self, tuning_key, configs)
        if timings is None:
            return original(self, tuning_key, configs, bench_fn)
        self.cache[tuning_key] = min(timings, key=timings.get)
        self.configs_timings = timings
        return True

    tuner.check_disk_cache = check_disk_cache


def find(module, records, tuner, tuning_key, configs):
    kernel = tuner.fn
    while hasattr(kernel, "fn") and not hasattr(kernel, "cache_key"):
        kernel = kernel.fn
    key = (f"{kernel.__name__[:150]}{SUFFIX}", json.dumps(tuning_key))
    wanted = sorted(map(str, configs))
    for recorded in records.get(key, []):
        timings = {module.Config(**config): timing for config, timing in recorded}
        if sorted(map(str, timings)) == wanted:
            return timings
    return None
