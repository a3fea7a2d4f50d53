"""Where the command `bandolier` is."""

from __future__ import annotations

import functools
import os
import shutil
from typing import Optional, Union

from ._errors import ExecutableNotFoundError

Path = Union[str, "os.PathLike[str]"]

_HOW_TO_BUILD = (
    "build it with `make build` in a checkout of Bandolier, and set BANDOLIER to .build/release/bandolier there, "
    "put it on the PATH with `make install PREFIX=~/.local`, or install the wheel that `make wheel` makes, which has it"
)


def find_executable(executable: Optional[Path] = None) -> str:
    """Returns the path of the command: the one given, else that of the environment variable `BANDOLIER`, else the one
    that the wheel of this package has installed, else the first on the `PATH`.

    Raises:
        ExecutableNotFoundError: It is not there, or may not be executed. The message says how to build it.
    """
    if executable is not None:
        return _checked(os.fspath(executable), "the argument executable")
    if named := os.environ.get("BANDOLIER"):
        return _checked(named, "the environment variable BANDOLIER")
    if found := _installed() or shutil.which("bandolier"):
        return found
    raise ExecutableNotFoundError(
        f"the command bandolier is not on the PATH, and the environment variable BANDOLIER is not set; {_HOW_TO_BUILD}")


@functools.lru_cache(maxsize=1)
def _installed() -> Optional[str]:
    """Returns the command that was installed with this package: a wheel of `make wheel` has it, others do not."""
    from importlib.metadata import distributions  # Takes a while, and is not needed by who names the command.

    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for distribution in distributions(name="bandolier", path=[site]):
        for file in distribution.files or ():
            if file.name == "bandolier":
                # With `pip install --target` it is not where the list of files says.
                for path in (str(file.locate()), os.path.join(site, "bin", "bandolier")):
                    if found := shutil.which(path):
                        return os.path.abspath(found)
    return None


def _checked(path: str, source: str) -> str:
    if found := shutil.which(path):
        return os.path.abspath(found)
    reason = "is not an executable file" if os.path.exists(path) else "does not exist"
    raise ExecutableNotFoundError(f"{path!r}, which {source} names, {reason}; {_HOW_TO_BUILD}")
