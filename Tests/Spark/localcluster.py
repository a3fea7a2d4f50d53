"""A Spark cluster of three processes on one machine: a master and two workers on loopback addresses of their own."""

import ctypes
import os
import signal
import socket
import subprocess
import time

import pyspark

SPARK_HOME = os.path.dirname(pyspark.__file__)
HOSTS = ["127.0.0.2", "127.0.0.3"]
_SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
_libc = ctypes.CDLL(None)


class LocalCluster:
    """A master on 127.0.0.1 and workers on 127.0.0.2 and 127.0.0.3, which end with the process that started them.

    Parameters
    ----------
    root
        A folder for everything that the processes write.
    """

    def __init__(self, root):
        self.root = root
        self.port = _free_port()
        self.workers = {}
        began = time.monotonic()
        self.master = self._start(
            "master", "127.0.0.1", "org.apache.spark.deploy.master.Master", "--port", str(self.port))
        self._wait_for("master", "I have been elected leader", 1)
        for host in HOSTS:
            self.start_worker(host)
        self.start_seconds = time.monotonic() - began

    @property
    def url(self):
        return f"spark://127.0.0.1:{self.port}"

    def start_worker(self, host):
        """Starts the worker of a host, and waits until the master knows it."""
        known = self._count("master", f"Registering worker {host}")
        self.workers[host] = self._start(
            host, host, "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir",
            os.path.join(self.root, "work", host), self.url)
        self._wait_for("master", f"Registering worker {host}", known + 1)

    def kill_worker(self, host):
        """Kills the worker of a host and its executors with signal 9, not what the executors started."""
        worker = self.workers.pop(host)
        for pid in [worker.pid, *children(worker.pid)]:
            os.kill(pid, signal.SIGKILL)
        worker.wait()

    def local_folder(self, host):
        """Returns the folder that the tasks of a host have for temporary files."""
        return os.path.join(self.root, "local", host)

    def stop(self):
        """Ends all processes, executors with their worker."""
        for worker in self.workers.values():
            worker.terminate()
        for process in [*self.workers.values(), self.master]:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, name, host, main, *arguments):
        local = self.local_folder(host)
        os.makedirs(local, exist_ok=True)
        environment = dict(
            os.environ, SPARK_HOME=SPARK_HOME, SPARK_LOCAL_IP=host, SPARK_LOCAL_DIRS=local, SPARK_DAEMON_MEMORY="192m",
            SPARK_DAEMON_JAVA_OPTS=_SMALL, SPARK_NO_DAEMONIZE="1", TMPDIR=local)
        launcher = os.path.join(SPARK_HOME, "bin", "spark-class")
        command = [launcher, main, "--host", host, "--webui-port", "0", *arguments]
        with open(self._log(name), "ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=self.root,
                preexec_fn=_end_with_parent)

    def _log(self, name):
        return os.path.join(self.root, f"{name}.out")

    def _count(self, name, text):
        with open(self._log(name), encoding="utf-8", errors="replace") as file:
            return file.read().count(text)

    def _wait_for(self, name, text, count, seconds=120):
        end = time.monotonic() + seconds
        while self._count(name, text) < count:
            if time.monotonic() > end:
                raise RuntimeError(f"{self._log(name)}: no {text!r} after {seconds} s")
            time.sleep(0.1)


def session_settings(cluster):
    """Returns the settings of a session on the cluster, which spark-submit and builders take."""
    return {
        "spark.master": cluster.url,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": _SMALL,
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.executor.extraJavaOptions": _SMALL,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.local.dir": cluster.local_folder("127.0.0.1"),
        "spark.sql.shuffle.partitions": "4",
    }


def children(pid):
    """Returns the processes that a process started."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _parent(name) == pid]


def _parent(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _end_with_parent():
    _libc.prctl(1, signal.SIGTERM)
