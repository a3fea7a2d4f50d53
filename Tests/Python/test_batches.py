"""Events in batches: the same as in a table, read while the command runs."""

import pathlib
import subprocess
import sys
import threading

import pyarrow as pa
import pytest

import bandolier
from bandolier import Log
from test_process import is_running, wait_until


@pytest.fixture
def large(empty_log):
    count = 300_000
    empty_log.import_table(pa.table({
        "type": ["dataPoint"] * count, "time": list(range(1_767_323_045, 1_767_323_045 + count)),
        "unit": [f"unit-{index}" for index in range(count)], "kind": ["custom"] * count}))
    return empty_log


def processes():
    """Returns the children of this process that run."""
    lists = pathlib.Path("/proc/self/task").glob("*/children")
    return [child for file in lists for child in map(int, file.read_text().split()) if is_running(child)]


@pytest.mark.parametrize("kind", [None, "decision", "goal", "conversion", "dataPoint", "sessionExpired"])
def test_batches_are_the_table(storefront, kind):
    with storefront.batches(kind) as batches:
        assert pa.Table.from_batches(batches, batches.schema).equals(storefront.events(kind))


def test_others_read_them_as_arrow(large):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    with large.batches() as batches:
        assert polars.DataFrame(batches).height == 300_000
    with large.batches() as batches:
        reader = pa.RecordBatchReader.from_stream(batches)  # noqa: F841 DuckDB finds it by its name.
        assert duckdb.sql("SELECT count(DISTINCT unit) FROM reader").fetchall() == [(300_000,)]


def test_a_block_that_ends_early_ends_the_command(large):
    with large.batches() as batches:
        first, second = next(iter(batches)), next(iter(batches))
        assert first.num_rows > 0 and not first.equals(second)
        assert len(processes()) == 1
    assert processes() == []
    with pytest.raises(RuntimeError), large.batches() as batches:
        raise RuntimeError("enough")
    assert processes() == []
    for _ in large.batches():
        break
    wait_until(lambda: processes() == [])


def test_errors_of_the_command_are_raised(empty_log, script):
    with pytest.raises(bandolier.MissingInputError, match="there is no log"):
        empty_log.batches()
    with pytest.raises(bandolier.UsageError, match="nonsense"):
        Log("datasets/storefront.log").batches("nonsense")
    with pytest.raises(bandolier.ExecutableNotFoundError):
        Log("x", executable="/nowhere").batches()
    cut = script(
        f"{bandolier.find_executable()} export --format=arrow -- datasets/storefront.log | head -c 700000",
        "echo 'bandolier: error: the disk is gone' >&2", "exit 74")
    with pytest.raises(bandolier.OutputError, match="error: the disk is gone"):
        list(Log("x", executable=cut).batches())
    nonsense = script("head -c 100000 /dev/zero | tr '\\0' x")
    with pytest.raises(pa.ArrowInvalid):
        list(Log("x", executable=nonsense).batches())
    assert processes() == []


def test_the_thread_that_asks_may_end_before_the_last_batch(large):
    results = []
    thread = threading.Thread(target=lambda: results.append(large.batches()))
    thread.start()
    thread.join()
    with results[0] as batches:
        assert sum(batch.num_rows for batch in batches) == 300_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel has no such request")
def test_the_command_is_killed_with_the_process_that_reads(large):
    code = (
        "import os, sys; from bandolier import Log; batches = Log(sys.argv[1]).batches(); "
        "print(batches._process.pid, flush=True); os.kill(os.getpid(), 9)")
    reader = subprocess.run([sys.executable, "-c", code, large.path], capture_output=True, text=True)
    child = int(reader.stdout)
    wait_until(lambda: not is_running(child))
