"""Compares decisions per second over HTTP, and what each server has on disk when it answers.

Run by `peers.py`. One load generator, `bandolier-bench send-requests`, sends the same number of requests over the same
number of connections, from the same processors, to each server in turn, for each round:

- bandolier-serve, which answers when the decision is durable; the same with --no-wait; and its empty route
- nginx (`return 200`), which decides and keeps nothing
- FastAPI with a policy of MABWiser, with a line appended and synced for each answer, and without
- Redis with `appendfsync always`: a counter for each decision, by its own load generator
- PostgreSQL with synchronous commit: an insert for each decision, by pgbench

Servers that are not installed are left out, which is said. The medians of the rounds count.
"""

import importlib.util
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from output import write_table

CONNECTIONS = 256
FASTAPI = '''import os, random
from fastapi import FastAPI
from mabwiser.mab import MAB, LearningPolicy
app = FastAPI()
policy = MAB(["a", "b", "c"], LearningPolicy.ThompsonSampling(), seed=1)
policy.fit(["a", "b", "c"], [1, 1, 1])
log = open(os.environ["PEER_LOG"], "a")
@app.get("/decide")
def decide(session: str):
    variant = policy.predict()
    if os.environ["PEER_SYNC"] == "1":
        log.write(f'{{"unit":"{session}","variant":"{variant}"}}\\n')
        log.flush()
        os.fsync(log.fileno())
    return {"session": session, "decision": variant}
'''


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server process that listens on a port of this machine."""

    def __init__(self, command, port, env=None):
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.port = port
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if self.process.poll() is not None:
                raise OSError(f"{command[0]} ended with {self.process.returncode}")
            time.sleep(0.1)
        raise OSError(f"{command[0]} does not listen")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def load(bench, port, target, requests, connections=CONNECTIONS):
    """Sends the requests; requests per second, and the median and the 99th percentile of the times in milliseconds."""
    command = [bench, "send-requests", "--port", str(port), "--target", target, "--requests", str(requests),
               "--connections", str(connections)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if list(result["statuses"]) != ["200"]:
        raise OSError(f"{target}: responses by status: {result['statuses']}")
    return requests / result["seconds"], result["median"] * 1000, result["p99"] * 1000


def serve(server, bench, folder, target, requests, *options):
    port = free_port()
    log = tempfile.mkdtemp(dir=folder) + "/served.log"
    running = Server([server, "--log", log, "--owner", "bench", "--port", str(port), "--rate", "0", *options], port)
    try:
        return load(bench, port, target, requests)
    finally:
        running.stop()


def nginx(bench, folder, requests):
    port = free_port()
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(f"daemon off; pid {folder}/nginx.pid; error_log /dev/null; worker_processes 2;\n"
                   "events { worker_connections 1024; }\n"
                   f"http {{ access_log off; keepalive_requests 10000000; server {{ listen 127.0.0.1:{port};\n"
                   "location / { return 200 '{\"decision\":\"a\"}'; } } }\n")
    running = Server([shutil.which("nginx") or "/usr/sbin/nginx", "-c", configuration], port)
    try:
        return load(bench, port, "/decide?session=s-{n}", requests)
    finally:
        running.stop()


def uvicorn(bench, folder, module, source, target, requests, sync):
    port = free_port()
    with open(os.path.join(folder, module + ".py"), "w", encoding="utf-8") as file:
        file.write(source)
    env = dict(os.environ, PEER_LOG=os.path.join(folder, "peer.jsonl"), PEER_SYNC="1" if sync else "0")
    command = [sys.executable, "-m", "uvicorn", f"{module}:app", "--app-dir", folder, "--host", "127.0.0.1",
               "--port", str(port), "--log-level", "error"]
    running = Server(command, port, env)
    try:
        return load(bench, port, target, requests)
    finally:
        running.stop()


def redis(folder, requests):
    port = free_port()
    running = Server(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "",
                      "--appendonly", "yes", "--appendfsync", "always"], port)
    try:
        text = subprocess.run(
            ["redis-benchmark", "-p", str(port), "-c", str(CONNECTIONS), "-n", str(requests), "-r", "1000000", "--csv",
             "set", "s-__rand_int__", "a"], check=True, capture_output=True, text=True).stdout
        fields = text.strip().splitlines()[-1].replace('"', "").split(",")
        return float(fields[-7]), float(fields[-4]), float(fields[-2])
    finally:
        running.stop()


def postgres(folder, requests):
    """Runs as the user postgres, because the server refuses to run as root."""
    programs = subprocess.run(["sh", "-c", "ls -d /usr/lib/postgresql/*/bin | tail -1"], check=True,
                              capture_output=True, text=True).stdout.strip()
    home = os.path.join(folder, "postgres")
    os.makedirs(home)
    for path in [folder, home]:
        shutil.chown(path, "postgres")
    port = str(free_port())

    def run(*command):
        return subprocess.run(["runuser", "-u", "postgres", "--", *command], check=True, capture_output=True,
                              text=True, cwd=home).stdout

    run(f"{programs}/initdb", "-D", f"{home}/data", "-A", "trust")
    run(f"{programs}/pg_ctl", "-D", f"{home}/data", "-w", "-l", f"{home}/log", "-o",
        f"-p {port} -k {home} -c listen_addresses= -c max_connections=300", "start")
    try:
        run("psql", "-h", home, "-p", port, "-c", "CREATE TABLE decisions (unit text, variant text)", "postgres")
        with open(f"{home}/insert.sql", "w", encoding="utf-8") as file:
            file.write("\\set n random(1, 1000000000)\nINSERT INTO decisions VALUES ('s-' || :n, 'a');\n")
        text = run(f"{programs}/pgbench", "-h", home, "-p", port, "-n", "-f", f"{home}/insert.sql", "-c",
                   str(CONNECTIONS), "-j", "2", "-t", str(max(1, requests // CONNECTIONS)), "postgres")
        speed = [line for line in text.splitlines() if line.startswith("tps =")][0]
        latency = [line for line in text.splitlines() if line.startswith("latency average")][0]
        return float(speed.split()[2]), float(latency.split()[3]), None
    finally:
        run(f"{programs}/pg_ctl", "-D", f"{home}/data", "-m", "fast", "stop")


def peers(server, bench, folder, requests):
    """What is measured: its name, what is on disk when it answers, and the measurement."""
    decision = "/bench/checkout/decision/a,b,c?session=s-{n}"
    rows = [
        ("bandolier-serve", "the decision", lambda: serve(server, bench, folder, decision, requests)),
        ("bandolier-serve --no-wait", "nothing for up to 100 ms",
         lambda: serve(server, bench, folder, decision, requests, "--no-wait")),
        ("bandolier-serve, empty route", "nothing",
         lambda: serve(server, bench, folder, "/healthz", requests)),
    ]
    if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
        rows.append(("nginx, return 200", "nothing", lambda: nginx(bench, folder, requests)))
    if importlib.util.find_spec("fastapi") and importlib.util.find_spec("uvicorn"):
        slow = max(CONNECTIONS, requests // 25)
        for name, sync in [("FastAPI, MABWiser, a sync for each answer", True), ("FastAPI, MABWiser", False)]:
            kept = "the decision" if sync else "nothing"
            rows.append((name, kept, lambda sync=sync: uvicorn(
                bench, folder, "deciding", FASTAPI, "/decide?session=s-{n}", slow, sync)))
    if shutil.which("redis-server"):
        rows.append(("Redis, appendfsync always", "a value", lambda: redis(folder, requests)))
    if shutil.which("psql"):
        rows.append(("PostgreSQL, inserts", "a row", lambda: postgres(tempfile.mkdtemp(dir=folder), requests // 5)))
    return rows


def run(server, bench, target, requests, runs):
    """Writes the table of all servers that are installed."""
    if not os.path.exists(server):
        print(f"{server} is not there, so services are not compared; build it with make serve", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        found = peers(server, bench, folder, requests)
        results = {name: [] for name, _, _ in found}
        for _ in range(runs):
            for name, _, measure in found:
                try:
                    results[name].append(measure())
                except (OSError, subprocess.CalledProcessError) as error:
                    print(f"{name}: {error}", file=sys.stderr)
    rows = []
    for name, kept, _ in found:
        if results[name]:
            speeds = sorted(speed for speed, _, _ in results[name])
            rest = [statistics.median(row[i] for row in results[name]) if results[name][0][i] is not None else ""
                    for i in (1, 2)]
            rows.append([name, kept, len(speeds), round(speeds[0]), round(statistics.median(speeds)), round(speeds[-1]),
                         *(cell if cell == "" else round(cell, 2) for cell in rest)])
    write_table(["server", "on_disk_when_it_answers", "runs", "answers_per_second_min", "answers_per_second_median",
                 "answers_per_second_max", "median_ms", "p99_ms"], rows, target)
