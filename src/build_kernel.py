"""The build hook: compiles the scanner of TREC files where a C compiler is at hand, and goes without it elsewhere.

Nothing depends on the scanner: without it every figure is the same, and only large runs take longer to read. Set
EVAUDIT_NO_KERNEL=1 to leave it out.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src", "evaudit", "ranking", "kernel.c")
TARGET = "evaudit/ranking/_kernel"


class KernelHook(BuildHookInterface[Any]):
    """Adds the compiled scanner to a wheel; an editable install gets it beside its source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a temporary folder (``standard``) or into the source tree (``editable``)."""
        name = TARGET + str(sysconfig.get_config_var("EXT_SUFFIX") or ".so")
        root = Path(self.root)
        self._folder = tempfile.mkdtemp()
        built = Path(self._folder, Path(name).name)
        if os.environ.get("EVAUDIT_NO_KERNEL") or not compiled(root / SOURCE, built):
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version == "editable":
            shutil.copy(built, root / "src" / name)
        else:
            build_data["force_include"][str(built)] = name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def compiled(source: Path, target: Path) -> bool:
    """Whether the compiler that built this Python, or any other one, makes ``target`` from ``source``."""
    include = sysconfig.get_paths()["include"]
    linker = shlex.split(str(sysconfig.get_config_var("LDSHARED") or "")) or ["cc", "-shared"]
    shared = shlex.split(str(sysconfig.get_config_var("CCSHARED") or "-fPIC"))
    flags = ["-O2", "-ffp-contract=off", *shared, f"-I{include}"]  # no fused products: the sums are Python's to the bit
    flags.append(f'-DSOURCE_DIGEST="{hashlib.sha256(source.read_bytes()).hexdigest()}"')  # a stale build is not loaded
    compilers = [os.environ.get("CC"), linker[0], "cc", "gcc", "clang"]
    for compiler in dict.fromkeys(c for c in compilers if c and shutil.which(shlex.split(c)[0])):
        command = [*shlex.split(compiler), *linker[1:], *flags, str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode == 0 and target.is_file():
            return True
    return False
