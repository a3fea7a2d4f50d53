"""Starting and stopping the service, and options that it refuses."""

import signal
import socket
import time

import pytest

from server import CONFIGS, Server, bandolier, run


def test_a_free_port_is_picked_and_told(server):
    assert server.url.startswith("http://127.0.0.1:") and server.port > 0
    assert server.get("/readyz").json() == {"status": "ok"}
    assert any("without --keys every route is open" in line for line in server.lines)


def test_two_services_have_ports_of_their_own(tmp_path):
    with Server(tmp_path / "a") as first, Server(tmp_path / "b") as second:
        assert first.port != second.port


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_and_releases_the_log(log, number):
    server = Server(log)
    status, seconds = server.stop(number)
    assert (status, seconds < 10) == (0, True)
    bandolier("log", "verify", log)
    with Server(log) as again:
        assert again.get("/readyz").status_code == 200


def test_a_second_signal_ends_the_service_at_once(server):
    # A request whose body never ends holds up the first.
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(b"POST /acme/checkout/decision HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None
        assert server.stop(signal.SIGTERM)[0] == 128 + signal.SIGTERM


def test_the_port_in_use_is_an_error(server, tmp_path):
    status, messages = run("--log", tmp_path / "other", "--port", server.port)
    assert status == 74 and "error:" in messages


def test_a_log_that_another_process_writes_is_an_error(server, log):
    status, messages = run("--log", log, "--port", 0)
    assert status == 75 and "bandolier serve" in messages


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ([], 64, "--log"),
        (["--port", "65536"], 64, "not a port"),
        (["--port", "a"], 64, "port"),
        (["--connections", "0"], 64, "at least 1"),
        (["--rate", "-1"], 64, "rate"),
        (["--unknown"], 64, "unknown"),
        (["--config", "/nonexistent"], 66, "/nonexistent"),
        (["--keys", "/nonexistent"], 66, "/nonexistent"),
        (["--cors-origin", "*"], 64, "not an origin"),
        (["--tls-certificate", "a"], 64, "--tls-key"),
        (["--address", "0.0.0.0"], 64, "--keys is required"),
        (["--address", "::"], 64, "--keys is required"),
        (["--address", "0.0.0.0", "--keys", "KEYS"], 64, "TLS is required"),
        (["--keys", "KEYS", "--tls-certificate", "a", "--tls-key", "b", "--behind-proxy"], 64, "exclude each other"),
    ],
)
def test_options_that_do_not_fit_are_errors(log, keys, key_file, options, status, message):
    options = [str(key_file) if option == "KEYS" else option for option in options]
    given = [] if options == [] else ["--log", log, "--port", 0]
    ended, messages = run(*given, *options)
    assert (ended, message in messages) == (status, True), messages


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "line 1"), ('{"config_sections":{},"meta":{}}', "sections"), ('{"agents":[{}]}', "agent")],
)
def test_a_configuration_that_cannot_be_served_is_an_error_that_names_the_file(log, tmp_path, text, reason):
    path = tmp_path / "config.json"
    path.write_text(text)
    status, messages = run("--log", log, "--port", 0, "--config", path)
    assert status in (64, 65) and str(path) in messages and reason in messages, messages


def test_a_damaged_log_is_an_error(tmp_path):
    path = tmp_path / "file"
    path.write_text("no log")
    status, messages = run("--log", path, "--port", 0)
    assert status in (65, 73, 74) and "error:" in messages


def test_the_configuration_of_the_tests_is_served(server):
    assert sorted(path.name for path in CONFIGS.iterdir()) == ["agents.json", "rollouts.json", "site.json"]
    answer = server.get("/acme/checkout/decision?session=s-1")
    assert answer.status_code == 200 and answer.json()["decision"] in ("blue", "green")
