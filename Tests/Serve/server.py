"""A running service, its log, and requests to it."""

import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

import requests

BANDOLIER = os.path.realpath(os.environ["BANDOLIER"])
SERVE = os.path.realpath(os.environ["BANDOLIER_SERVE"])
CONFIGS = pathlib.Path(__file__).resolve().parent / "configs"


def bandolier(*arguments):
    """Runs the command, and returns its standard output."""
    return output(BANDOLIER, *arguments)


def bandolier_serve(*arguments):
    """Runs a verb of the service that ends by itself, and returns its standard output."""
    return output(SERVE, *arguments)


def output(*words):
    run = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{words} exited with {run.returncode}: {run.stderr}"
    return run.stdout


def events(log):
    """The events of a log, as JSON objects."""
    text = bandolier("log", "cat", log) if pathlib.Path(log).exists() else ""
    return [json.loads(line) for line in text.splitlines()]


class Server:
    """A service that was started and is ready."""

    def __init__(self, log, *options, start=True):
        self.log = pathlib.Path(log)
        self.options = [str(option) for option in options]
        self.lines = []
        self.process = None
        self.url = None
        if start:
            self.start()

    def start(self, timeout=60):
        self.process = subprocess.Popen(
            [SERVE, "--log", str(self.log), "--port", "0", *self.options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.url = None
        ready = threading.Event()
        self.reader = threading.Thread(target=self._read, args=(self.process.stderr, ready), daemon=True)
        self.reader.start()
        assert ready.wait(timeout), f"the service was not ready within {timeout} s: {self.lines}"
        assert self.url, f"the service ended with {self.process.wait()}: {self.lines}"

    def _read(self, stream, ready):
        for line in stream:
            self.lines.append(line.rstrip("\n"))
            if match := re.fullmatch(r"listening on (\S+)\n", line):
                self.url = match[1]
                ready.set()
        ready.set()

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    @property
    def requests(self):
        """The lines of the request log."""
        return [json.loads(line) for line in self.lines if line.startswith("{")]

    def get(self, path, **options):
        return requests.get(self.url + path, timeout=30, **options)

    def post(self, path, **options):
        return requests.post(self.url + path, timeout=30, **options)

    def stop(self, number=signal.SIGTERM):
        """Ends the service with a signal, and returns its exit status and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(30)
        self.reader.join(10)
        return status, time.monotonic() - began

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()


def run(*options):
    """Runs a service that is expected to end by itself, and returns its exit status and its messages."""
    ended = subprocess.run([SERVE, *map(str, options)], capture_output=True, text=True, timeout=60)
    return ended.returncode, ended.stderr
