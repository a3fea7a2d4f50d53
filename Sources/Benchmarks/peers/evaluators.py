"""The libraries whose off-policy estimates are compared with Bandolier's.

    evaluators.py RESULT LIBRARY KIND ROWS RUNS SECONDS

answers each question several times, until there are enough answers or the time is over, two at least, and writes what
came out to the file RESULT as JSON: the version, and the answer and the seconds of each question.
"""

import json
import sys
import time
from importlib.metadata import version

from logged_rows import GREATEST, make
from obp_evaluator import OpenBanditPipeline
from vw_evaluator import VWEstimators

EVALUATORS = {"open bandit pipeline": OpenBanditPipeline, "vw-estimators": VWEstimators}


def main():
    result, name, kind, count, runs, limit = sys.argv[1:]
    kind_of_evaluator = EVALUATORS[name]
    # Whatever is loaded at first is not timed.
    small = kind_of_evaluator(make(kind, 1000), GREATEST[kind])
    evaluator = kind_of_evaluator(make(kind, int(count)), GREATEST[kind])
    made = {}
    for question in evaluator.questions:
        small.answer(question)
        seconds = []
        while len(seconds) < 2 or (len(seconds) < int(runs) and sum(seconds) < float(limit)):
            start = time.perf_counter()
            answer = evaluator.answer(question)
            seconds.append(time.perf_counter() - start)
        made[question] = {"answer": answer, "seconds": seconds}
    with open(result, "w", encoding="utf-8") as file:
        json.dump({"version": version(kind_of_evaluator.distribution), "questions": made}, file)


if __name__ == "__main__":
    main()
