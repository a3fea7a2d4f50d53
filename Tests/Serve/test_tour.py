"""The commands of the page "Serving decisions" are run as they are printed."""

import json
import pathlib
import re
import subprocess

from server import Server

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/Service/Service.docc/ServingDecisions.md"


def steps():
    """The commands, each with the lines printed below it."""
    found = []
    for block in re.findall(r"^```\n(.*?)^```", PAGE.read_text(), re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = part.split("\n")
            # A command goes on until its quotes are closed.
            count = 1
            while "\n".join(lines[:count]).count("'") % 2:
                count += 1
            found.append(("\n".join(lines[:count]), [line for line in lines[count:] if line]))
    return found


def test_every_command_succeeds_and_answers_as_printed(tmp_path):
    goals = [{"type": "goal", "id": f"e-{number}", "time": "2026-01-02T03:05:00Z", "unit": f"u-{number}",
              "experiment": "offer", "goal": "order"} for number in range(1000)]
    (tmp_path / "events.jsonl").write_text("\n".join(map(json.dumps, goals)))
    server, count = None, 0
    try:
        for command, printed in steps():
            if command.startswith("bandolier serve"):
                server = Server(tmp_path / "live.log", *command.split()[4:], start=False)
                server.options = [tmp_path / part if part.endswith(".json") else part for part in server.options]
                server.start()
                continue
            if server:
                command = command.replace("http://127.0.0.1:8080", server.url)
                command = command.replace("curl ", "curl -sS --fail-with-body ")
            ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, timeout=60)
            assert ran.returncode == 0, (command, ran.stdout, ran.stderr)
            count += 1
            for line in printed:
                # Up to where something is left out or drawn at random.
                start = re.split("…|\\.\\.\\.", line)[0]
                start = re.sub(r'("decision":)".*', r"\1", start)
                start = re.sub(r'("value":(true|false),)?"reason".*', "", start)
                assert any(found.startswith(start) for found in ran.stdout.split("\n")), (command, start, ran.stdout)
    finally:
        if server and server.process:
            server.stop()
    assert count >= 10
