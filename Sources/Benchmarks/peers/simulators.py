"""The libraries whose simulations are compared with Bandolier's.

    simulators.py RESULT LIBRARY POLICY RUNS SECONDS

makes runs until there are enough or the time is over, two at least, and writes what came out to the file RESULT as
JSON: the version, the regret of each run and the seconds of the processor that it took.
"""

import json
import sys
import time
import warnings

from mabwiser_simulator import MABWiser
from numba_simulator import Numba
from problems import HORIZON
from river_simulator import River
from smpybandits_simulator import SMPyBandits

SIMULATORS = {"smpybandits": SMPyBandits, "mabwiser": MABWiser, "river": River, "numba loop": Numba}


def main():
    result, name, policy, runs, limit = sys.argv[1:]
    # Divisions by zero in the first steps, which are meant.
    warnings.simplefilter("ignore")
    simulator = SIMULATORS[name]()
    # Whatever is loaded or compiled at first is not timed.
    simulator.run(policy, 100, 0)
    regrets, seconds = [], []
    while len(regrets) < 2 or (len(regrets) < int(runs) and sum(seconds) < float(limit)):
        start = time.process_time()
        regrets.append(simulator.run(policy, HORIZON, 1 + len(regrets)))
        seconds.append(time.process_time() - start)
    with open(result, "w", encoding="utf-8") as file:
        json.dump({"version": simulator.version(), "regrets": regrets, "seconds": seconds}, file)


if __name__ == "__main__":
    main()
