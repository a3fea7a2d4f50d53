"""Runs plain loops as cells.py asks: reads lines POLICY PROBLEM SIZE SECONDS, writes steps per second of the processor.

The line is empty where there is no such loop.
"""

import sys
import time

import numpy as np

from numba_simulator import Numba
from problems import HORIZON, PROBLEMS


def timed(policy, problem, size, seed):
    """The seconds of a run, including the contexts that it draws."""
    numba = Numba()
    start = time.process_time()
    if policy == "linucb":
        numba.run(policy, HORIZON, seed, features=size)
    else:
        numba.run(policy, HORIZON, seed, np.array(PROBLEMS[problem](size)))
    return time.process_time() - start


def main():
    compiled = set()
    for line in sys.stdin:
        policy, problem, size, limit = line.split()
        if policy not in Numba.policies:
            print(flush=True)
            continue
        if policy not in compiled:
            timed(policy, problem, int(size), 0)
            compiled.add(policy)
        seconds = [timed(policy, problem, int(size), 1)]
        while sum(seconds) < float(limit):
            seconds.append(timed(policy, problem, int(size), 1 + len(seconds)))
        print(HORIZON * len(seconds) / sum(seconds), flush=True)


if __name__ == "__main__":
    main()
