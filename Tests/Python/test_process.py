"""Child processes end with this one, however it ends."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from bandolier import KilledCommandError, run

PARENT = """
import sys
from bandolier import run
run("verb", executable=sys.argv[1])
"""


def wait_until(holds):
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end, "it did not happen within 20 seconds"
        time.sleep(0.01)


def is_running(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.fixture
def sleeper(script, tmp_path):
    """Makes a command that writes its process number and sleeps, with the given reaction to interrupts."""

    def make(*lines):
        note = tmp_path / "process"
        path = script(*lines, f"echo $$ > {note}.part", f"mv {note}.part {note}", "while :; do sleep 0.05; done")

        def process():
            wait_until(note.exists)
            return int(note.read_text())

        return path, process

    return make


def started(path):
    return subprocess.Popen([sys.executable, "-c", PARENT, path], stderr=subprocess.PIPE)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel has no such request")
def test_a_child_is_killed_with_its_parent(sleeper):
    path, process = sleeper("trap '' INT TERM HUP")
    parent = started(path)
    child = process()
    assert is_running(child)
    parent.kill()
    parent.communicate()
    wait_until(lambda: not is_running(child))


def test_an_interrupt_of_the_parent_alone_interrupts_the_child(sleeper, tmp_path):
    path, process = sleeper(f"trap 'echo > {tmp_path}/removed; exit 130' INT")
    parent = started(path)
    child = process()
    parent.send_signal(signal.SIGINT)
    messages = parent.communicate()[1]
    assert b"KeyboardInterrupt" in messages and parent.returncode != 0
    assert not is_running(child)
    assert (tmp_path / "removed").exists()


def test_a_child_that_ignores_interrupts_is_killed_after_a_while(sleeper):
    path, process = sleeper("trap '' INT")
    parent = started(path)
    child = process()
    parent.send_signal(signal.SIGINT)
    parent.communicate(timeout=30)
    assert not is_running(child)


def test_an_error_in_what_is_given_ends_the_child(script, tmp_path, empty_log):
    note = tmp_path / "process"
    path = script(f"echo $$ > {note}", "exec cat > /dev/null")

    def events():
        wait_until(lambda: note.exists() and note.read_text())
        yield {"type": "goal"}
        raise RuntimeError("no more events")

    with pytest.raises(RuntimeError, match="no more events"):
        type(empty_log)(empty_log.path, executable=path).append(events())
    assert not is_running(int(note.read_text()))


def test_an_error_in_the_function_for_progress_ends_the_child(sleeper):
    path, process = sleeper("(sleep 0.1; echo 'replaying  1/2 events  50 %' >&2) &")

    def fail(line):
        process()
        raise RuntimeError(line)

    with pytest.raises(RuntimeError, match="replaying  1/2"):
        run("verb", executable=path, progress=fail)
    assert not is_running(process())


def test_a_child_that_someone_kills_is_an_error(sleeper):
    path, process = sleeper()
    killer = threading.Thread(target=lambda: os.kill(process(), signal.SIGKILL))
    killer.start()
    with pytest.raises(KilledCommandError, match="SIGKILL"):
        run("verb", executable=path)
    killer.join()


def test_a_child_that_reads_nothing_does_not_stop_what_is_given(script, empty_log):
    log = type(empty_log)(empty_log.path, executable=script("echo 'bandolier: error: full' >&2", "exit 74"))
    with pytest.raises(OSError, match="full"):
        log.append({"type": "goal", "unit": f"u-{index}"} for index in range(100_000))


def test_much_output_and_many_messages_do_not_block_each_other(script, empty_log):
    path = script(
        "cat > /dev/null &", "i=0", "while [ $i -lt 3000 ]; do",
        "echo 'some line of output that is long enough to fill a pipe of sixty-four thousand bytes'",
        "echo 'some line of messages that is long enough to fill a pipe of sixty-four thousand bytes' >&2",
        "i=$((i + 1))", "done")
    assert run("verb", executable=path).count("\n") == 3000


def test_threads_can_run_commands_at_the_same_time(storefront):
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(storefront.report("rewards").column("decisions").to_pylist()))
        for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(result == results[0] for result in results)


def test_nothing_is_left_open(storefront):
    storefront.report("rewards")
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        storefront.decisions()
        storefront.report("rewards")
        with pytest.raises(ValueError):
            storefront.report("reward")
    assert len(os.listdir("/proc/self/fd")) == len(before)
