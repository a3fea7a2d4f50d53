"""One cluster for all tests, the events that they report, and the command. `make test-spark` runs the tests."""

import gzip
import os
import pathlib
import sys

import pytest

import bandolier.spark
from localcluster import LocalCluster
from parquet import parquet_files
from support import OneMachine, Sessions, SlowedCommand

STOREFRONT = pathlib.Path(__file__).resolve().parents[2] / "datasets" / "storefront.jsonl.gz"


def pytest_configure(config):
    config.addinivalue_line("markers", "short: what .ci/run runs")


@pytest.fixture(scope="session")
def executable():
    return os.path.realpath(os.environ["BANDOLIER"])


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def one_machine(executable, root):
    return OneMachine(executable, root)


@pytest.fixture(scope="session")
def events(root):
    """The files of the log of a shop: eight of JSON Lines."""
    folder = root / "events"
    folder.mkdir()
    with gzip.open(STOREFRONT, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    size = -(-len(lines) // 8)
    for number in range(8):
        with gzip.GzipFile(folder / f"part-{number}.jsonl.gz", "wb", mtime=0) as file:
            file.write("".join(lines[number * size:(number + 1) * size]).encode())
    return folder


@pytest.fixture(scope="session")
def cluster(root):
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = LocalCluster(str(root))
    print(f"the cluster started in {made.start_seconds:.1f} s")
    yield made
    Sessions.stop()
    made.stop()


@pytest.fixture
def spark(cluster):
    return Sessions.of(cluster)


@pytest.fixture
def slowed(executable, root):
    """A command that waits where a test says so."""
    return SlowedCommand(executable, root)


@pytest.fixture(scope="session")
def parquet(events, root):
    """The same events as Parquet files."""
    return parquet_files(events, root / "parquet")


@pytest.fixture(scope="session")
def kept(cluster, events, executable, root):
    """A folder of shards."""
    folder = root / "kept"
    bandolier.spark.shard(Sessions.of(cluster), str(events), folder, shards=5, executable=executable)
    return folder
