"""Scratch folders and commands end with the process that made them, however it ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bandolier.spark._scratch import Scratch, local_folder

TASK = """
import sys
from bandolier.spark._command import Command
from bandolier.spark._scratch import Scratch
with Scratch("task", parent=sys.argv[1]) as scratch:
    Command(sys.argv[2], scratch).run("verb")
"""


def wait_until(holds):
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "it did not happen within 10 seconds"
        time.sleep(0.01)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_folder_is_removed_when_its_use_ends(tmp_path):
    with Scratch("test", parent=str(tmp_path)) as scratch:
        open(scratch.join("file"), "w").close()
        assert os.listdir(tmp_path) == [os.path.basename(scratch.path)]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_folder_and_command_end_with_a_task_that_is_killed(tmp_path, how):
    command, folder = tmp_path / "bandolier", tmp_path / "scratch"
    folder.mkdir()
    command.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\ntouch "$TMPDIR/file"\nexec sleep 600\n')
    command.chmod(0o755)
    task = subprocess.Popen([sys.executable, "-c", TASK, str(folder), str(command)])
    wait_until(lambda: list(folder.glob("bandolier-task-*/file")))
    pid = int((tmp_path / "pid").read_text())
    assert is_running(pid)
    task.send_signal(how)
    task.wait()
    wait_until(lambda: not is_running(pid) and list(folder.iterdir()) == [])


def test_folders_lie_in_the_local_folders_of_spark(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"/does/not/exist,{tmp_path}")
    assert local_folder() == str(tmp_path)
