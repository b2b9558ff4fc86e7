"""Stand-in for Triton's autotuner: its disk cache under a key that holds the switch."""

import hashlib
import json
import os


class Config:
    def __init__(self, kwargs, num_warps=4):
        self.kwargs, self.num_warps = kwargs, num_warps

    def __str__(self):
        return f"{self.kwargs} {self.num_warps}"


class Autotuner:
    def __init__(self, fn, configs):
        self.fn, self.configs, self.cache, self.configs_timings = fn, configs, {}, {}

    def best(self, *key):
        if key not in self.cache:
            used = self.check_disk_cache(key, self.configs, lambda: self.measure(key))
            if not used and os.environ.get("TRITON_PRINT_AUTOTUNING") == "1":
                print(f"Triton autotuning for function {self.fn.__name__} finished after 0.01s;")
        return self.cache[key]

    def measure(self, key):
        self.configs_timings = {config: [float(config.num_warps)] for config in self.configs}
        self.cache[key] = min(self.configs_timings, key=self.configs_timings.get)

    def check_disk_cache(self, tuning_key, configs, bench_fn):
        text = f"{os.environ.get('STUB_SWITCH', '')} {tuning_key}".encode()
        folder = os.path.join(os.environ["TRITON_CACHE_DIR"], hashlib.sha256(text).hexdigest())
        path = os.path.join(folder, self.fn.__name__ + ".autotune.json")
        if os.path.exists(path):
            with open(path) as file:
                timings = json.load(file)["configs_timings"]
            timings = {Config(**config): timing for config, timing in timings}
            self.cache[tuning_key] = min(timings, key=timings.get)
            return True
        bench_fn()
        os.makedirs(folder, exist_ok=True)
        with open(path, "w") as file:
            told = [(vars(config), timing) for config, timing in self.configs_timings.items()]
            json.dump({"key": tuning_key, "configs_timings": told}, file)
        return False
