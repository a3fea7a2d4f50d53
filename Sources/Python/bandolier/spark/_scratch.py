"""Folders of tasks: in Spark's local folders, and removed with the task, however it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Optional

# The watcher reads the pipe to its end, which comes when the task and the last command that it started are gone.
_WATCH = 'cat >/dev/null; rm -rf -- "$@"'


class Scratch:
    """A temporary folder that is removed when the process that made it, and the commands that it runs, have ended.

    A process that is killed cannot clean up. A watcher does so for it: it waits for the end of a pipe that the process
    and its commands hold open.
    """

    def __init__(self, label: str, parent: Optional[str] = None) -> None:
        """Makes a folder.

        Args:
            label: What it is for, a part of its name: `bandolier-LABEL-...`.
            parent: Where it is made; by default one of Spark's local folders on an executor, and the system's folder
                for temporary files elsewhere.
        """
        self.path = tempfile.mkdtemp(prefix=f"bandolier-{label}-", dir=parent or local_folder())
        read_end, self.pipe = os.pipe()
        try:
            self._watcher = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH, "sh", self.path], stdin=read_end, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
        finally:
            os.close(read_end)

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def join(self, *names: str) -> str:
        """Returns the path of a file in the folder."""
        return os.path.join(self.path, *names)

    def close(self) -> None:
        """Removes the folder."""
        if self.pipe is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self.pipe)
            self.pipe = None
            self._watcher.wait()


def local_folder() -> str:
    """Returns the folder that temporary folders are made in: on an executor one of Spark's, chosen by the process."""
    folders = [folder for folder in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if os.path.isdir(folder)]
    return folders[os.getpid() % len(folders)] if folders else tempfile.gettempdir()
