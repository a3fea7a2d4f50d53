"""Tables as CSV files and on the terminal."""

import csv
import os


def write_table(heading, rows, path):
    """Writes the rows to a CSV file and prints them."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])
    widths = [max(len(str(row[i])) for row in [heading, *rows]) for i in range(len(heading))]
    for row in [heading, *rows]:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def faster(engine, ratio):
    """Which of an engine and Bandolier is faster, by the engine's time relative to Bandolier's; empty for Bandolier."""
    if engine.startswith("bandolier"):
        return ""
    return "bandolier" if ratio > 1 else engine
