"""The command line of `bandolier.spark`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, Callable, Optional, Sequence

from .._errors import BandolierError, CheckFailed, CommandError, ExecutableNotFoundError
from ._errors import KeptFolderError, TaskError

_USAGE, _DATA, _FAILED, _CANNOT_CREATE = 64, 65, 70, 73

_EPILOG = """\
Options of the report or the simulation follow after --, as on the command line of bandolier:

  python -m bandolier.spark report rewards 'events/*.jsonl.gz' --shards 64 -- --format json
  python -m bandolier.spark shard 'events/*.jsonl.gz' --into shards --shards 64
  python -m bandolier.spark report compare shards -- --metric revenue
  python -m bandolier.spark simulate -- -e 'bernoulli:means=0.1;0.9' -p thompson -p ucb1 --runs 10000

With spark-submit, submit.py of this folder takes the place of -m bandolier.spark.
"""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command line, and returns its exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options = _parser().parse_args(arguments[:cut])
    if options.output and os.path.exists(options.output) and not options.force:
        return _fail(f"error: {options.output}: exists; replace it with --force", _CANNOT_CREATE)
    try:
        _write(options.run(_session(options), options, arguments[cut + 1:]), options.output)
    except CheckFailed as error:
        _write(error.output, options.output)
        return _fail(str(error), error.exit_code)
    except CommandError as error:
        return _fail(str(error), error.exit_code if error.exit_code > 0 else _FAILED)
    except BandolierError as error:
        return _fail(f"error: {error}", _exit_code(error))
    return 0


def _exit_code(error: BandolierError) -> int:
    if isinstance(error, TaskError):
        return _FAILED
    return _DATA if isinstance(error, KeptFolderError) else _USAGE


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="bandolier.spark", description="Reports and simulations on Apache Spark, byte for byte as on one machine.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verb = _verb(verbs, "report", "Make a report of files or of kept shards.", _report)
    verb.add_argument("name", metavar="REPORT", help="The report, such as rewards.")
    _add_inputs(verb)
    verb.add_argument("--keep", metavar="FOLDER", help="Keep shards and partial results there, and resume from them.")
    verb = _verb(verbs, "shard", "Split files by unit into logs that reports start from.", _shard)
    _add_inputs(verb)
    verb.add_argument("--into", metavar="FOLDER", required=True, help="Where the logs go; only missing ones are made.")
    verb = _verb(verbs, "simulate", "Simulate policies in environments, by the arguments after --.", _simulate)
    verb.add_argument("--keep", metavar="FOLDER", help="Keep the runs there, and resume from them.")
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors have the exit code that those of bandolier have."""

    def error(self, message: str) -> None:
        self.print_usage(sys.stderr)
        self.exit(_USAGE, f"{self.prog}: error: {message}\n")


def _verb(verbs: Any, name: str, text: str, run: Callable[..., bytes]) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=text, description=text)
    verb.set_defaults(run=run)
    verb.add_argument("--shards", type=int, metavar="N", help="The number of shards, which results do not depend on.")
    verb.add_argument(
        "--executable", metavar="FILE", help="The command (default: $BANDOLIER, the wheel's, the PATH's).")
    verb.add_argument("--master", metavar="URL", help="The master, where spark-submit does not name it.")
    verb.add_argument("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
    verb.add_argument("--force", action="store_true", help="Replace the file if it exists.")
    return verb


_IMPORT_OPTIONS = ("format", "map", "experiment", "items", "on-error")


def _add_inputs(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("inputs", nargs="+", metavar="INPUT", help="Files, folders, patterns, or a folder of shards.")
    for option in _IMPORT_OPTIONS:
        verb.add_argument(f"--{option}", action="append", default=[], metavar="VALUE", help="As of bandolier import.")


def _import_words(options: argparse.Namespace) -> list[str]:
    given = vars(options)
    return [f"--{name}={value}" for name in _IMPORT_OPTIONS for value in given[name.replace("-", "_")]]


def _report(spark: Any, options: argparse.Namespace, words: Sequence[str]) -> bytes:
    from ._reports import report_output

    source = options.inputs[0] if len(options.inputs) == 1 else options.inputs
    return report_output(
        spark, [options.name, *words], source, shards=options.shards, keep=options.keep,
        import_options=_import_words(options), executable=options.executable)


def _shard(spark: Any, options: argparse.Namespace, words: Sequence[str]) -> bytes:
    from ._cluster import Cluster
    from ._shards import made_shards
    from ._shardtasks import kept_path

    folder = os.path.abspath(options.into)
    made = made_shards(
        Cluster(spark, options.executable), options.inputs, [*_import_words(options), *words], options.shards, folder)
    return "".join(kept_path(folder, number, made.count) + "\n" for number in range(made.count)).encode()


def _simulate(spark: Any, options: argparse.Namespace, words: Sequence[str]) -> bytes:
    from ._simulations import simulation_output

    return simulation_output(spark, words, shards=options.shards, keep=options.keep, executable=options.executable)


def _session(options: argparse.Namespace) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ExecutableNotFoundError("PySpark is not installed: pip install pyspark") from None
    builder = SparkSession.builder.appName("bandolier")
    return (builder.master(options.master) if options.master else builder).getOrCreate()


def _write(content: bytes, path: Optional[str]) -> None:
    """Writes to a file, atomically, or to standard output."""
    if path is None:
        sys.stdout.buffer.write(content)
        return
    made = f"{path}.{os.getpid()}.partial"
    try:
        with open(made, "wb") as file:
            file.write(content)
        os.replace(made, path)
    finally:
        if os.path.exists(made):
            os.unlink(made)


def _fail(text: str, code: int) -> int:
    print(f"bandolier: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
