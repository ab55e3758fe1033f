"""On what, and of which state of the code, figures were measured."""

import os
import platform
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.bench.cores import PINS


def machine() -> dict[str, Any]:
    """The commit, the machine, and how much else it did when this began."""
    return {
        "commit": _git("rev-parse", "--short", "HEAD"),
        "changed": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "machine": f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "pinned": PINS,
        "load": round(os.getloadavg()[0], 2),
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def _git(*what: str) -> str:
    return subprocess.run(["git", *what], capture_output=True, text=True, check=False).stdout.strip()


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", told.read_text()) if told.exists() else None
    return found[1] if found else platform.processor() or platform.machine()
