"""Connections: what is read ahead of the answers, which versions of HTTP are spoken, and for whom."""

import re
import socket
import threading
import time

REQUEST = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"


def connect(server):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    return client


def resident(server):
    """The resident memory of the service in MiB."""
    status = open(f"/proc/{server.process.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


def pour(client, data, seconds):
    """Sends as much as the service takes, and reads nothing."""
    client.setblocking(False)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            client.send(data)
        except BlockingIOError:
            time.sleep(0.05)
        except OSError:
            return


def answers(client, count):
    """The status, the id and the size of answers, and what follows them until the connection ends."""
    read, found = b"", []
    while len(found) < count:
        while b"\r\n\r\n" not in read:
            part = client.recv(65536)
            if not part:
                return found, read
            read += part
        head, _, read = read.partition(b"\r\n\r\n")
        size = int(re.search(rb"content-length: (\d+)", head.lower())[1])
        while len(read) < size:
            part = client.recv(65536)
            assert part, "the connection ended within an answer"
            read += part
        number = re.search(rb"x-request-id: (\S+)", head.lower())
        found.append((int(head.split()[1]), number[1].decode(), size))
        read = read[size:]
    return found, read


def exchange(server, data):
    """Sends bytes, and returns everything until the service ends the connection."""
    with connect(server) as client:
        client.settimeout(20)
        client.sendall(data)
        read = b""
        while part := client.recv(65536):
            read += part
        return read


def test_answers_that_nobody_reads_fill_no_memory(server):
    before = resident(server)
    clients = [connect(server) for _ in range(60)]
    threads = [threading.Thread(target=pour, args=(client, REQUEST * 400, 8)) for client in clients]
    for thread in threads:
        thread.start()
    sizes = []
    while any(thread.is_alive() for thread in threads):
        began = time.monotonic()
        assert server.get("/readyz").status_code == 200
        assert time.monotonic() - began < 10
        time.sleep(0.5)
        sizes.append(resident(server))
    for client in clients:
        client.close()
    # What a connection takes depends on the machine; that it takes no more with time does not.
    later = sizes[len(sizes) // 2:]
    assert max(later) - min(later) < 20, f"the service still grows: {sizes} MiB"
    assert max(sizes) - before < 4 * len(clients), f"{len(clients)} connections took {max(sizes) - before:.0f} MiB"


def test_pipelined_requests_are_answered_in_order(server):
    with connect(server) as client:
        client.settimeout(20)
        heads = [f"GET /readyz HTTP/1.1\r\nHost: a\r\nx-request-id: r-{number}\r\n\r\n" for number in range(400)]
        sender = threading.Thread(target=client.sendall, args=("".join(heads).encode(),))
        sender.start()
        found, _ = answers(client, 400)
        sender.join()
    assert [(status, number) for status, number, _ in found] == [(200, f"r-{number}") for number in range(400)]


def test_a_client_that_ends_its_requests_gets_every_answer(server):
    with connect(server) as client:
        client.settimeout(20)
        client.sendall(REQUEST * 50)
        client.shutdown(socket.SHUT_WR)
        found, rest = answers(client, 51)
    assert [status for status, _, _ in found] == [200] * 50 and rest == b""


def test_an_answer_before_the_end_of_a_connection_is_whole_however_slowly_it_is_read(server):
    with connect(server) as client:
        client.settimeout(20)
        client.sendall(REQUEST.replace(b"Host: a", b"Host: a\r\nConnection: close"))
        time.sleep(1)
        found, rest = answers(client, 2)
    assert [status for status, _, _ in found] == [200] and rest == b""


def test_a_body_between_pipelined_requests_is_read_whole(server):
    body = b'{"session":"s-1","inputs":{"text":"' + b"a" * 20_000 + b'"}}'
    post = b"POST /acme/checkout/decision HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
    with connect(server) as client:
        client.settimeout(20)
        client.sendall((REQUEST + post + body) * 3)
        found, _ = answers(client, 6)
    assert [status for status, _, _ in found] == [200] * 6


def test_an_answer_that_nobody_takes_ends_the_connection_and_one_that_is_taken_slowly_does_not(server):
    slow = connect(server)
    slow.settimeout(20)
    slow.sendall(REQUEST * 20)
    with connect(server) as client:
        client.sendall(REQUEST * 200)
        began = time.monotonic()
        while time.monotonic() - began < 40:
            slow.recv(2048)
            time.sleep(0.1)
        client.settimeout(20)
        try:
            found, _ = answers(client, 200)
        except (ConnectionError, AssertionError):
            found = []
        assert len(found) < 200
    found = b""
    while len(found) < 1000:
        found += slow.recv(65536)
    slow.close()


def test_a_request_names_one_host(server):
    for head in (b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                 b"GET /healthz HTTP/1.1\r\nx: y\r\nHost: a\r\nHost: a\r\n\r\n",
                 b"GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"):
        answer = exchange(server, head)
        assert answer.startswith(b"HTTP/1.1 400 ") and b"invalid-host" in answer, (head, answer)
        assert b"connection: close" in answer.lower()
    answer = exchange(server, b"GET /healthz HTTP/1.1\r\nx: y\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_http_1_0_ends_the_connection_after_the_answer(server):
    for fields in (b"", b"Host: a\r\n", b"Connection: keep-alive\r\n"):
        answer = exchange(server, b"GET /healthz HTTP/1.0\r\n" + fields + b"\r\n")
        assert answer.startswith(b"HTTP/1.1 200 ") and b"connection: close" in answer.lower(), answer
        assert answer.endswith(b'{"status":"ok"}')


def test_a_connection_ends_when_the_client_asks_for_it(server):
    answer = exchange(server, b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n" + REQUEST)
    assert answer.count(b"HTTP/1.1 200") == 1 and b"connection: close" in answer.lower()
