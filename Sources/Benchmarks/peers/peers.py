"""Compares Bandolier with others on the same events: what it takes to answer questions, and bytes per event.

Run by `make peers`. Writes FOLDER/peers.csv (questions, see questions.py) and FOLDER/peers-sizes.csv (bytes, see
sizes.py). Ends with 1 when an answer differs.
"""

import argparse
import os

import questions
import sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bandolier", default=".build/release/bandolier")
    parser.add_argument("--bench", default=".build/release/bandolier-bench")
    parser.add_argument("--folder", default="notebooks-out", help="where the CSV files go")
    parser.add_argument("--events", type=int, default=10_000_000, help="events that questions are about")
    parser.add_argument("--size-events", type=int, default=1_000_000, help="events whose bytes are counted")
    parser.add_argument("--runs", type=int, default=5, help="how often each question is asked")
    parser.add_argument("--only", choices=["questions", "sizes"], help="only this comparison")
    options = parser.parse_args()
    agree = True
    if options.only != "sizes":
        target = os.path.join(options.folder, "peers.csv")
        agree = questions.run(options.bench, target, options.events, options.runs)
    if options.only != "questions":
        target = os.path.join(options.folder, "peers-sizes.csv")
        sizes.run(options.bandolier, options.bench, target, options.size_events)
    if not agree:
        raise SystemExit("answers differ")


main()
