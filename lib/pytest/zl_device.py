"""Makes sure that the pinned device is the one in use, and records what was loaded.

Runs once collection has imported flag_gems, before any test touches the device; what the compiler
was made of is asked at the end, when Triton has worked it out for its own caches.
"""

import hashlib
import sys

import pytest

import zl_plan

MISMATCH_STATUS = 72


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    if session.items and "flag_gems" in sys.modules:
        check()


def pytest_sessionfinish(session):
    fingerprint = compiler_fingerprint(sys.modules)
    if fingerprint:
        zl_plan.report("compiler", fingerprint=fingerprint)


def check():
    import flag_gems

    plan = zl_plan.plan()
    device = device_facts(flag_gems)
    zl_plan.report(
        "facts",
        vendor=flag_gems.vendor_name,
        torch_device=flag_gems.device,
        libraries=libraries(),
        device=device,
    )
    expect("vendor", plan["vendor"], flag_gems.vendor_name)
    expect("torch_device", plan["torch_device"], flag_gems.device)
    expect("visible_devices", 1, device["count"])
    if plan["device"]["uuid"] and device["uuid"]:
        expect("uuid", bare_uuid(plan["device"]["uuid"]), bare_uuid(device["uuid"]))


def expect(what, wanted, got):
    if wanted == got:
        return
    line = f"DEVICE_MISMATCH what={what} expected={wanted} got={got}"
    zl_plan.say(line)
    zl_plan.report("mismatch", what=what, expected=wanted, got=got)
    pytest.exit(line, returncode=MISMATCH_STATUS)


def bare_uuid(text):
    """Vendors put a word before the 36 characters of a UUID."""
    return str(text).lower()[-36:]


def libraries():
    """Versions of what measures, and where it was loaded from: PYTHONPATH picks the build."""
    found = {}
    for name in ("torch", "triton", "flag_gems"):
        module = sys.modules.get(name)
        if module is not None:
            found[name] = str(getattr(module, "__version__", ""))
            found[name + "_path"] = str(getattr(module, "__file__", ""))
    return found


def compiler_fingerprint(modules):
    """A digest of Triton's own key: its sources and libtriton, so that a rebuild at the same path
    and version is told apart. "" where no kernel was compiled, as working it out takes seconds."""
    for name in ("triton.runtime.cache", "triton.compiler.compiler"):  # where it lives, and lived
        key = getattr(modules.get(name), "triton_key", None)
        if key is not None and hasattr(key, "cache_info") and key.cache_info().currsize > 0:
            return hashlib.sha256(str(key()).encode()).hexdigest()[:16]
    return ""


def device_facts(flag_gems):
    functions = flag_gems.runtime.torch_device_fn
    facts = {"count": int(functions.device_count()), "name": "", "uuid": ""}
    try:
        properties = functions.get_device_properties(functions.current_device())
        facts["name"] = str(getattr(properties, "name", ""))
        facts["uuid"] = str(getattr(properties, "uuid", ""))
    except Exception as error:  # a device that cannot be asked is told by the benchmark itself
        facts["error"] = zl_plan.one_line(error)
    return facts
