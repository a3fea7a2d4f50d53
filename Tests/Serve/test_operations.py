"""Metrics as promtool checks them, the request log, and the interface as schemathesis checks it."""

import os
import shutil
import subprocess
import sys

import pytest

PROMTOOL = os.environ.get("PROMTOOL") or shutil.which("promtool")


@pytest.mark.skipif(not PROMTOOL, reason="there is no promtool; install the package prometheus, or set PROMTOOL")
def test_promtool_has_nothing_to_say_about_the_metrics(server):
    for number in range(20):
        server.get(f"/acme/checkout/decision?session=s-{number}")
    server.get("/none")
    text = server.get("/metrics").text
    check = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")


def test_the_metrics_follow_what_is_done(server):
    before = metrics(server)
    for number in range(10):
        assert server.get(f"/acme/checkout/decision?session=s-{number}").status_code == 200
    after = metrics(server)
    assert after["bandolier_log_position"] >= before["bandolier_log_position"] + 10
    assert after["bandolier_log_durable_position"] == after["bandolier_log_position"]
    assert after["bandolier_sessions"] == before["bandolier_sessions"] + 10
    assert after["bandolier_sync_wait_seconds_count"] > before["bandolier_sync_wait_seconds_count"]
    assert after["process_resident_memory_bytes"] > 1 << 20


def metrics(server):
    lines = [line.rsplit(" ", 1) for line in server.get("/metrics").text.splitlines() if line[0] != "#"]
    return {name: float(value) for name, value in lines}


def test_each_request_is_a_line_of_the_log(server):
    server.get("/acme/checkout/decision?session=secret", headers={"x-request-id": "r-1"})
    server.get("/none?session=secret")
    server.stop()
    first, second = server.requests
    assert first["id"] == "r-1" and first["status"] == 200 and first["micros"] >= 0
    assert first["route"].startswith("/{owner}/{agent}/decision") and first["sent"] > 10
    assert second["route"] is None and second["status"] == 404
    assert not [line for line in server.lines if "secret" in line]


def test_the_interface_is_the_same_after_a_restart(server):
    before = server.get("/openapi.json").content
    server.stop()
    server.start()
    assert server.get("/openapi.json").content == before


def test_schemathesis_finds_no_5xx_and_no_undocumented_status(server, tmp_path):
    check = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", server.url + "/openapi.json",
         "--checks", "not_a_server_error,status_code_conformance", "--max-examples", "25", "--seed", "1",
         "--phases", "examples,fuzzing", "--request-timeout", "10", "--no-color"],
        env={**os.environ, "SCHEMATHESIS_HOOKS": os.path.join(os.path.dirname(__file__), "schemathesis_hooks.py")},
        capture_output=True, text=True, cwd=tmp_path, timeout=900)
    assert check.returncode == 0, check.stdout[-8000:]
    assert server.get("/readyz").status_code == 200
