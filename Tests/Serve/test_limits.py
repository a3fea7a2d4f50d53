"""Sizes, slow clients, and how the service answers others meanwhile."""

import shutil
import socket
import subprocess
import threading
import time

import pytest
import requests

from server import Server


def send(server, data):
    """Sends bytes, and returns what the service answers until it closes the connection, and the seconds."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(data)
        client.settimeout(90)
        answer = b""
        while part := client.recv(65536):
            answer += part
        return answer, time.monotonic() - began


def test_a_body_over_the_limit_is_refused_before_it_is_read(server):
    head = b"POST /acme/checkout/decision HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(head)
        client.settimeout(10)
        assert client.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_a_body_over_the_limit_is_refused_in_parts_too(server):
    def parts():
        for _ in range(70):
            yield b"a" * 1024

    assert server.post("/acme/checkout/decision", data=parts()).status_code == 413


def test_a_head_over_the_limit_is_refused(server):
    answer = server.get("/healthz", headers={"x-large": "a" * 15_000})
    assert answer.status_code == 200
    refused, _ = send(server, b"GET /healthz HTTP/1.1\r\nHost: a\r\nx: " + b"a" * 17_000 + b"\r\n\r\n")
    assert refused == b"" or refused.split()[1] in (b"400", b"431")


def test_a_malformed_request_is_refused(server):
    refused, _ = send(server, b"NONSENSE\r\n\r\n")
    assert refused == b"" or refused.split()[1] == b"400"


def drip(server, head, gap, seconds, closed):
    """Sends a head, and then a byte now and again; tells after how many seconds the service closed the connection."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(head)
        client.settimeout(gap)
        while time.monotonic() - began < seconds:
            try:
                if not client.recv(65536):
                    break
            except TimeoutError:
                pass
            except OSError:
                break
            try:
                client.sendall(b"a")
            except OSError:
                break
        closed.append(time.monotonic() - began)


def test_slow_heads_and_bodies_are_cut_off_and_others_are_answered_meanwhile(server):
    head, body, idle = [], [], []
    slow_body = b"POST /acme/checkout/decision HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
    threads = [
        threading.Thread(target=drip, args=(server, b"GET /healthz HTTP/1.1\r\nx: ", 0.5, 30, head)),
        threading.Thread(target=drip, args=(server, slow_body, 0.5, 60, body)),
        threading.Thread(target=drip, args=(server, b"", 15, 30, idle)),
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        began = time.monotonic()
        assert server.get("/readyz").status_code == 200
        assert time.monotonic() - began < 1
        time.sleep(1)
    assert 9 <= head[0] <= 15 and 29 <= body[0] <= 36


def test_no_more_connections_than_asked_for(log):
    with Server(log, "--connections", "4") as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(4)]
        for client in held:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            assert client.recv(65536).startswith(b"HTTP/1.1 200")
        with pytest.raises(requests.exceptions.RequestException):
            requests.get(server.url + "/healthz", timeout=2)
        for client in held:
            client.close()
        assert server.get("/healthz").status_code == 200


SLOW = {
    "head": ["-H", "-i", "1"],
    "body": ["-B", "-i", "1", "-s", "60000"],
    "read": ["-X", "-w", "1", "-y", "2", "-z", "1", "-k", "3"],
}


@pytest.mark.skipif(not shutil.which("slowhttptest"), reason="there is no slowhttptest; install the package")
@pytest.mark.parametrize("kind", SLOW)
def test_a_thousand_slow_connections_do_not_delay_readiness(server, tmp_path, kind):
    attack = subprocess.Popen(
        ["slowhttptest", *SLOW[kind], "-c", "1000", "-r", "200", "-l", "15", "-u", server.url + "/openapi.json"],
        stdout=subprocess.DEVNULL, cwd=tmp_path)
    try:
        slowest = 0.0
        while attack.poll() is None:
            began = time.monotonic()
            assert server.get("/readyz").status_code == 200
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.2)
    finally:
        attack.kill()
    assert slowest < 1, slowest
