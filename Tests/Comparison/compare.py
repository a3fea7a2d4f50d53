#!/usr/bin/env python3
"""Runs two builds of `bandolier` side by side and shows where what they print differs.

    Tests/Comparison/compare.py OLD NEW [--seeds 20] [--only TEXT] [--show 12]

Both import the same files (the log in datasets/, logs made by `generate`, and random ones that hold every status, kind and
order of events), and run the same commands over them. Data, messages and exit code of each command are compared byte for
byte; the folder's name is the only thing that is replaced. Exits 1 if anything differs, or if neither build knows an option
of a command, which would compare nothing but errors.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOUR = 3_600_000_000


def random_events(seed):
    """Events of a few units, with everything that the contract allows, in no order of time."""
    random_numbers = random.Random(seed)
    pick, chance = random_numbers.choice, random_numbers.random
    start = 1_767_312_000_000_000
    adaptive = chance() < 0.3
    events = []
    for number in range(random_numbers.randrange(40, 400)):
        time = start + random_numbers.randrange(0, 40 * 24) * HOUR // pick([1, 1, 4])
        event = {"time": time, "unit": f"u{random_numbers.randrange(25)}"}
        kind = pick(["decision"] * 4 + ["goal"] * 4 + ["conversion"] * 2 + ["dataPoint", "decisionConfirmed"])
        event["type"] = kind
        if kind in ("decision", "goal", "decisionConfirmed"):
            event["experiment"] = pick(["x", "x", "y"])
        if kind == "decision":
            event["variant"] = pick(["a", "b"] if event["experiment"] == "x" else ["a", "b", "c"])
            event["choices"] = ["a", "b"] if event["experiment"] == "x" else ["a", "b", "c"]
            share = 1 / len(event["choices"])
            if adaptive and event["experiment"] == "x":
                share = random_numbers.randrange(1, 10) / 10
                event["probabilities"] = [share, 1 - share]
                share = event["probabilities"][event["choices"].index(event["variant"])]
            if chance() < 0.9:
                event["propensity"] = share
            event["status"] = pick(["confirmed"] * 6 + ["provisional", "repeated", "repeated", "excluded"])
            event["reason"] = pick(["random", "sticky", "forced"])
            event["policy"] = pick(["uniform", "thompson"])
            event["context"] = {"country": pick(["US", "DE", "FR"]), "age": random_numbers.randrange(18, 70)}
        if kind in ("decision", "decisionConfirmed") and chance() < 0.3:
            event["point"], event["slot"] = "cart", pick(["color", "size"])
        if kind == "goal":
            event["goal"] = pick(["purchase", "view"])
            if chance() < 0.7:
                event["value"] = round(random_numbers.lognormvariate(0, 1), 2)
            if chance() < 0.1:
                event["status"], event["reason"] = "refused", "late"
        if kind == "conversion":
            event["goal"] = pick(["buy", "sign-up"])
            event["revenue"] = float(random_numbers.randrange(1, 90))
            event["negative"] = chance() < 0.15
        if kind == "dataPoint":
            event["kind"], event["key"], event["value"] = "custom", "plan", pick(["free", "pro"])
        if chance() < 0.5:
            event["id"] = f"e{number}"
        events.append(event)
    if chance() < 0.5:
        events.sort(key=lambda event: event["time"])
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)


REPORTS = [
    "rewards", "rewards --per unit", "rewards --by context.country", "rewards --window 7d",
    "rewards --attribution all --window 3d", "rewards --attribution linear", "rewards --attribution first --delay 1h",
    "rewards --since 2026-01-12T00:00:00Z", "rewards --until 2026-01-20T00:00:00Z", "rewards --limit 1",
    "compare", "compare --metric conversions", "compare --metric converted", "compare --metric revenue --limit 2",
    "compare --metric goals:goal=purchase --since 2026-01-12T00:00:00Z", "compare --by context.country",
    "compare --metric ratio:of=revenue,over=conversions", "compare --method msprt --mixing-variance 0.01",
    "conversions", "conversions --window none", "conversions --by context.country", "conversions --since 2026-01-12T00:00:00Z",
    "conversions --limit 1", "conversions --of goals", "quantiles", "quantiles --since 2026-01-12T00:00:00Z",
    "regret", "regret --means ips", "adaptive", "health", "health --by context.country", "series", "series --every week",
    "visits", "visits --by data.custom.plan", "funnel --steps view,purchase", "funnel --steps sign-up,buy --any-order",
    "retention", "retention --since 2026-01-12T00:00:00Z", "power", "predictions",
]
FORMATS = ["csv", "json", "jsonl", "markdown", "table"]

LOG_COMMANDS = [
    "log info {log}", "log verify {log}", "log verify {log} --deep", "log cat {log}", "export {log} --format jsonl",
    *(f"report {report} {{log}} --format csv" for report in REPORTS),
    *(f"report {report} {{log}} --format {format}" for report in ("rewards", "compare", "health") for format in FORMATS),
    "replay {log} --into {folder}/model.sqlite",
    *(f"report {report} {{folder}}/model.sqlite --format csv" for report in REPORTS if "--since" not in report),
]

POLICIES = [
    "uniform", "greedy", "etc:pulls=20", "epsilon-greedy:epsilon=0.1", "softmax:temperature=0.1", "ucb1", "ucb1-tuned", "ucb-v",
    "moss", "kl-ucb", "thompson", "bayes-ucb", "imed", "exp3", "tsallis-inf", "hedge", "gittins", "besa", "dmed",
]
COMMANDS = [
    "--help", "formats", "policies --format csv", "environments --format csv", "predictors --format csv",
    *(f"explain {report}" for report in dict.fromkeys(report.split()[0] for report in REPORTS)),
    *(f"report {report} --help" for report in dict.fromkeys(report.split()[0] for report in REPORTS)),
    *(f"simulate -e bernoulli:means=0.1;0.5;0.6 -p {policy} --horizon 500 --runs 8 --seed 3 --format csv" for policy in POLICIES),
    "simulate -e linear:variants=4,features=5 -p linucb -p lints --horizon 300 --runs 4 --seed 3 --format csv",
    "simulate -e drifting:variants=3 -p discounted-ucb -p sliding-window-ucb --horizon 300 --runs 4 --seed 3 --format csv",
]


class Build:
    """One build of the command, in a folder of its own."""

    def __init__(self, command, folder):
        self.command, self.folder = os.path.abspath(command), folder
        folder.mkdir()

    def run(self, text, **names):
        words = [word.format(folder=self.folder, **names) for word in text.split()]
        done = subprocess.run([self.command, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL)
        own = str(self.folder).encode()
        return done.returncode, done.stdout.replace(own, b"FOLDER"), done.stderr.replace(own, b"FOLDER")


def difference(old, new, most):
    """The first lines in which two outcomes differ."""
    lines = [f"  exit {old[0]} -> {new[0]}"] if old[0] != new[0] else []
    for name, before, after in (("stdout", old[1], new[1]), ("stderr", old[2], new[2])):
        if before != after:
            pairs = zip(before.splitlines(), after.splitlines())
            lines += [f"  {name}: {len(before.splitlines())} lines -> {len(after.splitlines())}"]
            changed = [(one, other) for one, other in pairs if one != other]
            for one, other in changed[:most]:
                lines += [f"  - {one.decode(errors='replace')[:300]}", f"  + {other.decode(errors='replace')[:300]}"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old"), parser.add_argument("new")
    parser.add_argument("--seeds", type=int, default=20, help="how many random logs")
    parser.add_argument("--only", default="", help="only commands with this text")
    parser.add_argument("--show", type=int, default=3, help="how many changed lines of each difference are shown")
    options = parser.parse_args()
    runs = changed = 0
    refused = []
    with tempfile.TemporaryDirectory() as temporary:
        builds = [Build(options.old, pathlib.Path(temporary, "old")), Build(options.new, pathlib.Path(temporary, "new"))]

        def compare(text, always=False, **names):
            nonlocal runs, changed
            if not always and options.only not in text:
                return
            old, new = (build.run(text, **names) for build in builds)
            runs += 1
            if old[0] == new[0] == 64 and b"Usage:" in new[2]:
                refused.append(text)
            if old != new:
                changed += 1
                print(f"{text} {' '.join(map(str, names.values()))}", *difference(old, new, options.show), sep="\n", flush=True)

        def compare_log(log):
            for text in LOG_COMMANDS:
                compare(text, always=text.startswith("replay"), log=log)
            for build in builds:
                (build.folder / "model.sqlite").unlink(missing_ok=True)

        for text in COMMANDS:
            compare(text)
        compare(f"import {ROOT}/datasets/storefront.jsonl.gz --log dataset.log", always=True)
        compare_log("dataset.log")
        for scenario in ("storefront", "studies"):
            compare(f"generate {scenario} --events 20000 --seed 5 --log {scenario}.log", always=True)
            compare_log(f"{scenario}.log")
        for seed in range(options.seeds):
            path = pathlib.Path(temporary, f"random-{seed}.jsonl")
            path.write_text(random_events(seed))
            compare(f"import {path} --log random-{seed}.log", always=True)
            compare_log(f"random-{seed}.log")
    print(f"{runs} commands, {changed} differ")
    for text in dict.fromkeys(refused):
        print(f"neither build knows an option of: {text}")
    return 1 if changed or refused else 0


if __name__ == "__main__":
    sys.exit(main())
