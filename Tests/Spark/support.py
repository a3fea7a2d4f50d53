"""What the tests share: the results of one machine, sessions, slow commands, and what is left of a run."""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

from localcluster import HOSTS, session_settings

# The names of scratch folders have these after `bandolier-`; `ship` is there as long as the driver.
STAGES = ["map", "source", "reduce", "keep", "find", "partial", "merge", "report", "simulate"]


class OneMachine:
    """What the command makes of files on one machine."""

    def __init__(self, executable, root):
        self.executable = executable
        self.root = root
        self.logs = {}

    def run(self, *arguments):
        return subprocess.run([self.executable, *map(str, arguments)], capture_output=True)

    def log(self, files, *options):
        key = (*map(str, files), *options)
        if key not in self.logs:
            self.logs[key] = str(self.root / f"one-machine-{len(self.logs)}.log")
            done = self.run("import", *files, "--log", self.logs[key], *options)
            assert done.returncode == 0, done.stderr.decode()
        return self.logs[key]

    def report(self, name, files, *options):
        verb = [name] if name == "evaluate" else ["report", name]
        done = self.run(*verb, self.log(files), *options)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def refusal(self, files):
        """Returns the exit code and the last message of an import that is refused."""
        done = self.run("import", *files, "--log", self.root / f"refused-{time.monotonic_ns()}.log")
        assert done.returncode != 0
        return done.returncode, done.stderr.decode().splitlines()[-1]


class Sessions:
    """The session of the cluster: a new one only where another needs other settings."""

    current = None

    @classmethod
    def of(cls, cluster, **settings):
        from pyspark.sql import SparkSession

        if cls.current is None or cls.current[0] != settings:
            cls.stop()
            began = time.monotonic()
            builder = SparkSession.builder
            for key, value in {**session_settings(cluster), **settings}.items():
                builder = builder.config(key, value)
            cls.current = settings, builder.getOrCreate()
            print(f"a session started in {time.monotonic() - began:.1f} s")
        context = cls.current[1].sparkContext
        # The driver is one of those that have memory for blocks.
        status = context._jsc.sc().getExecutorMemoryStatus
        wait_until(lambda: status().size() > len(HOSTS), 120, "an executor is missing")
        return cls.current[1]

    @classmethod
    def stop(cls):
        if cls.current is not None:
            cls.current[1].stop()
        cls.current = None


class SlowedCommand:
    """A script that waits in stages that a test names, then becomes the command. It starts no process to wait."""

    def __init__(self, executable, root):
        self.folder = root / f"slowed-{time.monotonic_ns()}"
        self.folder.mkdir()
        os.mkfifo(self.folder / "never")
        self.path = str(self.folder / "bandolier")
        script = f"""#!/bin/bash
stage=${{TMPDIR##*/bandolier-}}; stage=${{stage%-*}}
if [ -e "{self.folder}/$stage.once" ] && mkdir "{self.folder}/$stage.taken" 2>/dev/null; then seconds=600
elif [ -e "{self.folder}/$stage.each" ]; then seconds=1; fi
if [ -n "$seconds" ]; then read -r -t "$seconds" -u 9 9<>"{self.folder}/never"; fi
exec "{executable}" "$@"
"""
        pathlib.Path(self.path).write_text(script)
        os.chmod(self.path, 0o755)

    def wait_in_each(self, stage):
        (self.folder / f"{stage}.each").touch()

    def hang_once_in(self, stage):
        (self.folder / f"{stage}.once").touch()

    def has_hung_in(self, stage):
        return (self.folder / f"{stage}.taken").exists()


def scratch_folders(folder, stages=STAGES):
    """Returns the scratch folders of stages in a folder."""
    prefixes = tuple(f"bandolier-{stage}-" for stage in stages)
    found = []
    for parent, names, _ in os.walk(folder):
        found += [os.path.join(parent, name) for name in names if name.startswith(prefixes)]
    return found


def running_commands(root):
    """Returns the command lines of the processes that run an executable which was copied to the cluster."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().decode("utf-8", "replace").split("\0")
            if any(word.startswith(str(root)) and "/bandolier-" in word for word in words[:2]):
                found.append(" ".join(words))
    return found


def wait_until(holds, seconds, what):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"after {seconds} s: {what}"
        time.sleep(0.05)


def expect_nothing_left(root):
    """Ten seconds after a run there is no command and no scratch folder of it."""
    end = time.monotonic() + 10
    while time.monotonic() < end and (running_commands(root) or scratch_folders(root)):
        time.sleep(0.1)
    assert running_commands(root) == []
    assert scratch_folders(root) == []

