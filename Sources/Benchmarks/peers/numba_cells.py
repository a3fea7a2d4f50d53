"""Runs plain loops as cells.py asks: reads lines POLICY PROBLEM SIZE SECONDS, writes steps per second of the processor.

The line is empty where there is no such loop.
"""

import sys
import time

import numpy as np

from numba_simulator import Numba, run_linucb
from problems import HORIZON, PROBLEMS, linear


def made(policy, problem, size):
    """A function that makes a run of a seed and returns its seconds; data that a loop is given are not timed."""
    numba = Numba()
    means = None if policy == "linucb" else np.array(PROBLEMS[problem](size))

    def run(seed):
        data = linear(HORIZON, np.random.default_rng(seed), size) if policy == "linucb" else None
        start = time.process_time()
        if policy == "linucb":
            run_linucb(*data)
        else:
            numba.run(policy, HORIZON, seed, means)
        return time.process_time() - start

    return run


def main():
    compiled = set()
    for line in sys.stdin:
        policy, problem, size, limit = line.split()
        if policy not in Numba.policies:
            print(flush=True)
            continue
        run = made(policy, problem, int(size))
        if policy not in compiled:
            run(0)
            compiled.add(policy)
        seconds = [run(1)]
        while sum(seconds) < float(limit):
            seconds.append(run(1 + len(seconds)))
        print(HORIZON * len(seconds) / sum(seconds), flush=True)


if __name__ == "__main__":
    main()
