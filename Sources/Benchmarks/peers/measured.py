"""Runs a command, and prints as JSON what it took.

    measured.py LIMIT COMMAND [ARGUMENT ...]

prints its seconds, the most memory that it held in MiB, its exit code (a signal as a negative number), and the end of
what it printed. After LIMIT seconds the command is ended. It is the child of this small process, because the peak that
a system reports of a process includes what its parent held when it started it.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time


def main():
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(sys.argv[2:], stdout=output, stderr=errors)
        limit = threading.Timer(float(sys.argv[1]), process.kill)
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        limit.cancel()
        texts = []
        for file in [output, errors]:
            file.seek(0)
            texts.append(file.read()[-2000:])
    print(json.dumps({"seconds": seconds, "mebibytes": usage.ru_maxrss / 1024,
                      "status": os.waitstatus_to_exitcode(status), "output": texts[0], "errors": texts[1]}))


if __name__ == "__main__":
    main()
