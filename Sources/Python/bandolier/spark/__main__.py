"""The command line of `bandolier.spark`."""

import argparse
import os
import sys

from bandolier.spark.errors import ClusterError, CommandError, KeptFolderError, TaskError

_USAGE, _DATA, _FAILED = 64, 65, 70

_EPILOG = """\
Options of the report or the simulation follow after --, as on the command line of bandolier. Examples:

  python -m bandolier.spark report rewards 'events/*.jsonl.gz' --shards 64 -- --format json
  python -m bandolier.spark shard 'events/*.jsonl.gz' --into shards --shards 64
  python -m bandolier.spark report compare shards -- --metric value
  python -m bandolier.spark simulate -e 'bernoulli:means=0.1;0.9' -p thompson -p ucb1 -- --runs 10000
"""


def main(arguments=None):
    """Runs the command line, and returns its exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options, rest = _parser().parse_args(arguments[:cut]), arguments[cut + 1:]
    if options.output and os.path.exists(options.output) and not options.force:
        return _fail(f"{options.output}: exists; replace it with --force", 73)
    try:
        _write(options.run(_session(options), options, rest), options.output)
    except CommandError as error:
        return _fail(error.messages.rstrip(), error.exit_code if error.exit_code > 0 else _FAILED)
    except KeptFolderError as error:
        return _fail(f"error: {error}", _DATA)
    except ClusterError as error:
        return _fail(f"error: {error}", _USAGE)
    except TaskError as error:
        return _fail(f"error: {error}", _FAILED)
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="bandolier.spark", description="Reports and simulations on Apache Spark, byte for byte as on one machine.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    verb = _verb(verbs, "report", "make a report of files or of kept shards", _report)
    verb.add_argument("name", metavar="REPORT", help="the report, such as rewards")
    _add_inputs(verb)
    verb.add_argument("--keep", metavar="FOLDER", help="keep shards and partial results there, and resume from them")
    verb = _verb(verbs, "shard", "split files by unit into logs that reports start from", _shard)
    _add_inputs(verb)
    verb.add_argument("--into", metavar="FOLDER", required=True, help="where the logs go; a rerun makes the missing")
    verb = _verb(verbs, "simulate", "simulate policies in environments", _simulate)
    verb.add_argument("-e", "--environment", action="append", required=True, metavar="ENVIRONMENT")
    verb.add_argument("-p", "--policy", action="append", required=True, metavar="POLICY")
    verb.add_argument("--keep", metavar="FOLDER", help="keep the runs there, and resume from them")
    return parser


def _verb(verbs, name, help_text, run):
    verb = verbs.add_parser(name, help=help_text, description=help_text)
    verb.set_defaults(run=run)
    verb.add_argument("--shards", type=int, metavar="N", help="the number of shards; results do not depend on it")
    verb.add_argument("--executable", metavar="FILE", help="bandolier for the executors (default: $BANDOLIER, PATH)")
    verb.add_argument("--master", metavar="URL", help="the master, where spark-submit does not say it")
    verb.add_argument("-o", "--output", metavar="FILE", help="write the result there, not to standard output")
    verb.add_argument("--force", action="store_true", help="replace the file")
    return verb


def _add_inputs(verb):
    verb.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders, patterns; Parquet; kept shards")
    for option in ("--format", "--map", "--experiment", "--items", "--on-error"):
        verb.add_argument(option, action="append", default=[], metavar="VALUE", help=f"as in bandolier import {option}")


def _report(spark, options, rest):
    from bandolier.spark import report

    return report(
        spark, options.name, _source(options), *rest, shards=options.shards, keep=options.keep,
        import_options=_import_options(options), executable=options.executable)


def _shard(spark, options, rest):
    from bandolier.spark import shard

    paths = shard(
        spark, options.inputs, options.into, shards=options.shards, import_options=[*_import_options(options), *rest],
        executable=options.executable)
    return "".join(path + "\n" for path in paths).encode()


def _simulate(spark, options, rest):
    from bandolier.spark import simulate

    return simulate(
        spark, options.environment, options.policy, *rest, shards=options.shards, keep=options.keep,
        executable=options.executable)


def _source(options):
    return options.inputs[0] if len(options.inputs) == 1 else options.inputs


def _import_options(options):
    given = {"--format": options.format, "--map": options.map, "--experiment": options.experiment}
    given.update({"--items": options.items, "--on-error": options.on_error})
    return [word for option, values in given.items() for value in values for word in (option, value)]


def _session(options):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("bandolier")
    if options.master:
        builder = builder.master(options.master)
    return builder.getOrCreate()


def _write(content, path):
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


def _fail(text, code):
    print(text if text.startswith("bandolier:") else f"bandolier: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
