"""Services and keys for the tests. `make test-serve` runs them."""

import pytest

from server import CONFIGS, Server, bandolier_serve


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def server(log):
    """A service without keys, with an agent, a site and rollouts."""
    with Server(log, "--owner", "acme", *configs()) as server:
        yield server


def configs():
    return [part for path in sorted(CONFIGS.glob("*.json")) for part in ("--config", path)]


@pytest.fixture
def key_file(tmp_path):
    return tmp_path / "keys"


@pytest.fixture
def keys(key_file):
    """A key for each scope."""
    scopes = ["client", "ingest", "read", "admin"]
    return {
        scope: bandolier_serve("keys", "create", f"the-{scope}", "--keys", key_file, "--scope", scope).strip()
        for scope in scopes
    }


@pytest.fixture
def guarded(log, keys, key_file):
    """A service with keys."""
    with Server(log, "--owner", "acme", "--keys", key_file, *configs()) as server:
        yield server
