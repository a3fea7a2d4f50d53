"""Compares Bandolier's simulations with those of other libraries: steps per second of one core, and the regret.

Run by `peers.py`. The same policies on the same problems (see problems.py), one thread each, seconds of the processor.
Every library and policy has a process of its own, which follows Bandolier's on that policy. Where a policy is defined
in the same way, the mean regret after all steps must be within 4 standard errors of Bandolier's; the standard deviation
of a run is taken from Bandolier's, as slow libraries make few runs.
"""

import csv
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
from statistics import mean, median

from output import faster, write_table
from problems import FEATURES, HORIZON, MEANS, NOISE, POLICIES, VARIANTS
from simulators import SIMULATORS

HEADING = ["policy", "library", "version", "runs", "horizon", "steps_per_second", "ratio_to_bandolier", "faster",
           "regret", "standard_error", "standard_errors_from_bandolier", "agrees", "differs_in"]
RUNS = 200
LIMIT_SECONDS = 3
TOLERANCE = 4
ENVIRONMENTS = {
    "linucb": f"linear:variants={VARIANTS},features={FEATURES},noise={NOISE}",
    "": "bernoulli:means=" + ";".join(f"{number:.1f}" for number in MEANS),
}


def bandolier(bench, policy):
    """What Bandolier makes of a policy: a row of `bandolier-bench simulate` with numbers for its text."""
    command = [bench, "simulate", "--policy", policy, "--environment", ENVIRONMENTS.get(policy, ENVIRONMENTS[""]),
               "--horizon", str(HORIZON), "--runs", str(RUNS)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    row = next(csv.DictReader(lines))
    return {name: float(row[name]) for name in ["regret", "standard_error", "steps_per_second"]}


def child(name, policy):
    """What a process of simulators.py says; None and a message when it failed."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as result:
        script = os.path.join(os.path.dirname(__file__), "simulators.py")
        command = [sys.executable, script, result.name, name, policy, str(RUNS), str(LIMIT_SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
        return json.load(result), ""


def row(policy, name, made, ours, differs):
    """A row of the table, and whether the regret is as it must be."""
    runs = len(made["regrets"])
    deviation = ours["standard_error"] * math.sqrt(RUNS)
    speed = HORIZON / median(made["seconds"])
    apart = (mean(made["regrets"]) - ours["regret"]) / (deviation * math.sqrt(1 / runs + 1 / RUNS))
    agrees = abs(apart) <= TOLERANCE or differs != ""
    verdict = "" if differs else "yes" if agrees else "no"
    ratio = ours["steps_per_second"] / speed
    cells = [policy, name, made["version"], runs, HORIZON, round(speed), round(ratio, 2), faster(name, ratio),
             round(mean(made["regrets"]), 2), round(deviation / math.sqrt(runs), 2), round(apart, 2), verdict, differs]
    return cells, agrees


def run(bench, target):
    """Compares and writes the CSV. Returns whether all regrets agree that must."""
    rows, agree = [], True
    there = {}
    for name, simulator in SIMULATORS.items():
        if importlib.util.find_spec(simulator.module) is None:
            print(f"skipped {name}: pip could not install {simulator.module}", file=sys.stderr)
        else:
            there[name] = simulator
    for policy in POLICIES:
        ours = bandolier(bench, policy)
        rows.append([policy, "bandolier", "", RUNS, HORIZON, round(ours["steps_per_second"]), 1.0, "",
                     round(ours["regret"], 2), round(ours["standard_error"], 2), 0.0, "yes", ""])
        for name, simulator in there.items():
            if policy not in simulator.policies:
                continue
            made, problem = child(name, policy)
            if made is None:
                print(f"{name}, {policy}: {problem}", file=sys.stderr)
                continue
            cells, agrees = row(policy, name, made, ours, simulator.policies[policy])
            rows.append(cells)
            agree = agree and agrees
            print(f"{name} {made['version']}, {policy}: {cells[5]} steps/s", flush=True)
    write_table(HEADING, rows, target)
    print(f"steps/s of one core by seconds of the processor, medians; ratios Bandolier's steps/s by theirs; wrote {target}")
    return agree
