"""Clients that ask for decisions and send events, and remember what was acknowledged."""

import json
import random
import threading

import requests


class Load:
    """Threads that use a service until they are stopped; connections that break are no errors."""

    def __init__(self, url, seed, threads=4):
        self.url = url
        self.decisions = {}
        self.events = set()
        self.refused = []
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self._run, args=(random.Random(f"{seed}-{number}"), f"{seed}-{number}"))
            for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, source, name):
        session, number = requests.Session(), 0
        while not self.stopping.is_set():
            number += 1
            try:
                if source.random() < 0.7:
                    self._decide(session, f"s-{name}-{source.randrange(200)}")
                else:
                    self._send(session, [f"e-{name}-{number}-{index}" for index in range(source.randrange(1, 20))])
            except requests.exceptions.RequestException:
                session.close()
                if self.stopping.wait(0.01):
                    return
                session = requests.Session()

    def _decide(self, session, unit):
        answer = session.get(f"{self.url}/acme/checkout/decision", params={"session": unit}, timeout=20)
        if answer.status_code != 200:
            self._refuse(answer)
            return
        choice = answer.json()["decision"]
        with self.lock:
            known = self.decisions.setdefault(unit, choice)
        assert known == choice, f"{unit} was given {known} and then {choice}"

    def _send(self, session, ids):
        lines = "".join(
            json.dumps({"type": "dataPoint", "id": event, "time": "2026-01-02T03:04:05Z", "unit": "u",
                        "kind": "custom", "key": "plan", "value": "free"}) + "\n" for event in ids)
        answer = session.post(f"{self.url}/v1/events", data=lines, timeout=20)
        if answer.status_code != 200:
            self._refuse(answer)
            return
        assert answer.json()["appended"] + answer.json()["already_there"] == len(ids), answer.text
        with self.lock:
            self.events.update(ids)

    def _refuse(self, answer):
        assert answer.status_code in (429, 503), (answer.status_code, answer.text)
        with self.lock:
            self.refused.append(answer.status_code)

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()
