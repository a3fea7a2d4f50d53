"""What was acknowledged is there after a signal, after a kill, and after the disk was full."""

import os
import random
import subprocess
import time
from collections import Counter

import pytest

from conftest import configs
from load import Load
from server import Server, bandolier, events


def check(server, log, decisions, sent):
    """Every acknowledged decision is answered the same, and every acknowledged event is in the log once."""
    for unit, choice in decisions.items():
        answer = server.get("/acme/checkout/decision", params={"session": unit})
        assert answer.status_code == 200 and answer.json()["decision"] == choice, unit
    counts = Counter(event["id"] for event in events(log) if event.get("id", "").startswith("e-"))
    assert not [event for event in sent if counts[event] != 1]


def test_sigterm_under_load_loses_no_answered_request(log):
    with Server(log, "--owner", "acme", *configs()) as server:
        load = Load(server.url, seed=1, threads=8)
        time.sleep(3)
        status, seconds = server.stop()
        load.stop()
        assert status == 0 and seconds < 10
        assert len(load.decisions) > 20 and len(load.events) > 20
        bandolier("log", "verify", log)
        server.start()
        check(server, log, load.decisions, load.events)


def kill_again_and_again(log, times):
    decisions, sent, source = {}, set(), random.Random(7)
    with Server(log, "--owner", "acme", *configs()) as server:
        for number in range(times):
            load = Load(server.url, seed=number)
            time.sleep(source.uniform(0.2, 1.2))
            server.kill()
            load.stop()
            decisions.update(load.decisions)
            sent |= load.events
            server.start()
            sample = dict(source.sample(sorted(load.decisions.items()), min(20, len(load.decisions))))
            check(server, log, sample, load.events)
        check(server, log, decisions, sent)
        assert len(decisions) > times and len(sent) > times
    bandolier("log", "verify", log)


def test_kills_under_load_lose_nothing_that_was_acknowledged(log):
    kill_again_and_again(log, 10)


@pytest.mark.long
def test_two_hundred_kills_under_load_lose_nothing_that_was_acknowledged(log):
    kill_again_and_again(log, 200)


def test_without_waiting_at_most_the_last_tenth_of_a_second_is_missing(log):
    with Server(log, "--owner", "acme", "--no-wait", *configs()) as server:
        answered = []
        for number in range(300):
            server.get("/acme/checkout/decision", params={"session": f"s-{number}"})
            answered.append(time.monotonic())
            time.sleep(0.002)
        killed = time.monotonic()
        server.kill()
    units = {event["unit"] for event in events(log) if event["type"] == "decision"}
    late = [number for number, at in enumerate(answered) if killed - at > 0.2 and f"s-{number}" not in units]
    assert not late


@pytest.fixture
def tiny_disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_refuses_changes_until_there_is_room(tiny_disk):
    log, ballast = tiny_disk / "log", tiny_disk / "ballast"
    ballast.write_bytes(bytes(2 << 20))
    with Server(log, "--owner", "acme", *configs()) as server:
        load = Load(server.url, seed=3)
        wait(lambda: server.get("/readyz").status_code == 503, 120)
        load.stop()
        assert 503 in load.refused
        ready = server.get("/readyz")
        assert ready.status_code == 503 and ready.json()["reason"]
        refused = server.get("/acme/checkout/decision", params={"session": "new"})
        assert refused.status_code == 503 and int(refused.headers["retry-after"]) >= 1
        assert server.get("/healthz").status_code == 200
        assert server.get("/metrics").status_code == 200
        ballast.unlink()
        wait(lambda: server.get("/readyz").status_code == 200, 30)
        check(server, log, load.decisions, load.events)
        more = Load(server.url, seed=4)
        time.sleep(1)
        more.stop()
        check(server, log, more.decisions, more.events)
        assert server.stop()[0] == 0


def wait(condition, seconds):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"not within {seconds} s"
        time.sleep(0.2)
