"""Says which other vendors' modules the process has imported.

A benchmark that imports a fixed vendor's module may time that vendor's kernel instead of ours:
reported, not refused. FlagGems puts a vendor's folder on sys.path, so that its packages appear
under flag_gems.runtime.backend._<vendor> and under their bare name _<vendor>. Compared by path
segment: a vendor whose name extends ours is not ours.
"""

import os
import sys

import zl_plan

PACKAGE = "flag_gems.runtime.backend"


def vendor_packages():
    """Names of the folders beside the backend's package that hold a vendor: _a, _b."""
    package = sys.modules.get(PACKAGE)
    names = set()
    for folder in getattr(package, "__path__", []):
        for entry in os.scandir(folder):
            if entry.is_dir() and entry.name.startswith("_") and not entry.name.startswith("__"):
                names.add(entry.name)
    return names


def foreign_vendors(modules, packages, own):
    """Vendors (without underscore) other than `own` among imported module names."""
    found = set()
    for name in modules:
        if name.startswith(PACKAGE + "."):
            segment = name[len(PACKAGE) + 1 :].split(".")[0]
        else:
            segment = name.split(".")[0]
        if segment in packages and segment != "_" + own:
            found.add(segment.lstrip("_"))
    return sorted(found)


def pytest_sessionfinish(session):
    vendors = foreign_vendors(list(sys.modules), vendor_packages(), zl_plan.plan()["vendor"])
    if vendors:
        zl_plan.say("FOREIGN_VENDOR_MODULE vendors=" + ",".join(vendors))
        zl_plan.report("foreign", vendors=vendors)
