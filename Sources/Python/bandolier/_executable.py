"""Where the command `bandolier` is."""

from __future__ import annotations

import os
import shutil
from typing import Optional, Union

from ._errors import ExecutableNotFoundError

Path = Union[str, "os.PathLike[str]"]

_HOW_TO_BUILD = (
    "build it with `make build` in a checkout of Bandolier, and set BANDOLIER to .build/release/bandolier there, "
    "or put it on the PATH with `make install PREFIX=~/.local`"
)


def find_executable(executable: Optional[Path] = None) -> str:
    """Returns the path of the command: the one given, else that of the environment variable `BANDOLIER`, else the
    first on the `PATH`.

    Raises:
        ExecutableNotFoundError: It is not there, or may not be executed. The message says how to build it.
    """
    if executable is not None:
        return _checked(os.fspath(executable), "the argument executable")
    if named := os.environ.get("BANDOLIER"):
        return _checked(named, "the environment variable BANDOLIER")
    if found := shutil.which("bandolier"):
        return found
    raise ExecutableNotFoundError(
        f"the command bandolier is not on the PATH, and the environment variable BANDOLIER is not set; {_HOW_TO_BUILD}")


def _checked(path: str, source: str) -> str:
    if found := shutil.which(path):
        return os.path.abspath(found)
    reason = "is not an executable file" if os.path.exists(path) else "does not exist"
    raise ExecutableNotFoundError(f"{path!r}, which {source} names, {reason}; {_HOW_TO_BUILD}")
