"""Compares policies with plain loops compiled by Numba, on three problems of three sizes: steps per second of one core.

Run by `peers.py --only cells`. Both are measured in turn, several times, so that what else the machine does meets both;
the table has the medians and the slowest and fastest repetitions. Bandolier's processes and Numba's loops have one
thread each, and the seconds are those of the processor.
"""

import csv
import os
import subprocess
import sys
from statistics import median

from output import faster, write_table
from problems import HORIZON, NOISE, PROBLEMS, SIZES, VARIANTS, WIDTHS

HEADING = ["policy", "problem", "size", "steps_per_second", "steps_per_second_min", "steps_per_second_max",
           "loop_steps_per_second", "loop_min", "loop_max", "ratio", "faster", "ratio_min", "ratio_max"]
# Those that no loop is compared with are measured for their relation to others.
POLICIES = ["ucb1", "ucb1-tuned", "ucb-v", "moss", "kl-ucb", "kl-ucb-plus", "kl-ucb++", "imed", "thompson", "softmax",
            "etc", "bayes-ucb", "floor:policy=(ucb1)", "floor:policy=(kl-ucb)"]
REPETITIONS = 5
SECONDS = 0.2


def environment(policy, problem, size):
    if policy == "linucb":
        return f"linear:variants={VARIANTS},features={size},noise={NOISE}"
    return "bernoulli:means=" + ";".join(str(mean) for mean in PROBLEMS[problem](size))


def ours(bench, policy, problem, size, runs):
    """Bandolier's steps per second, once."""
    command = [bench, "simulate", "--policy", policy, "--environment", environment(policy, problem, size),
               "--horizon", str(HORIZON), "--runs", str(runs), "--repetitions", "1"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return float(next(csv.DictReader(lines))["steps_per_second"])


class Loops:
    """A process that runs the loops, so that each is compiled once."""

    def __init__(self):
        script = os.path.join(os.path.dirname(__file__), "numba_cells.py")
        self.process = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

    def speed(self, policy, problem, size):
        """The steps per second of a loop, once; None if there is none."""
        print(policy, problem, size, SECONDS, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        return float(answer) if answer else None


def cell(bench, loops, policy, problem, size):
    guess = ours(bench, policy, problem, size, 2)
    runs = max(2, int(guess * SECONDS / HORIZON))
    pairs = [(ours(bench, policy, problem, size, runs), loops.speed(policy, problem, size)) for _ in range(REPETITIONS)]
    speeds, others = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    row = [policy, problem, size, round(median(speeds)), round(min(speeds)), round(max(speeds))]
    if None in others:
        return row + [""] * 7
    ratios = [one / other for one, other in pairs]
    return row + [round(median(others)), round(min(others)), round(max(others)), round(median(ratios), 2),
                  faster("numba", median(ratios)), round(min(ratios), 2), round(max(ratios), 2)]


def run(bench, target):
    """Measures all cells and writes the CSV."""
    loops, rows = Loops(), []
    cells = [(policy, problem, size) for policy in POLICIES for problem in PROBLEMS for size in SIZES]
    for policy, problem, size in cells + [("linucb", "linear", width) for width in WIDTHS]:
        rows.append(cell(bench, loops, policy, problem, size))
        print(*rows[-1], flush=True)
    write_table(HEADING, rows, target)
