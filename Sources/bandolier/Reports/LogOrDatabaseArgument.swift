import ArgumentParser

/// The log of a report that can be made from a database of `bandolier replay` too.
struct LogOrDatabaseArgument: ReportLogArgument {
  @Argument(
    help: ArgumentHelp(
      "The folder of the log, or a database of `bandolier replay`.", valueName: "log"),
    completion: .logOrDatabase)
  var log: String?

  var argument: LogArgument? { log.map { LogArgument(path: $0) } }
}

/// The log of a report that is made from a log only, or from partials of its parts.
struct LogOrPartsArgument: ReportLogArgument {
  @Argument(
    help: ArgumentHelp("The folder of the log; none with --merge.", valueName: "log"),
    completion: .log)
  var log: String?

  var argument: LogArgument? { log.map { LogArgument(path: $0) } }
}

/// The log of a report for which it is optional.
struct OptionalLogArgument: ReportLogArgument {
  @Argument(
    help: ArgumentHelp(
      "The folder of the log, or a database of `bandolier replay`.", valueName: "log"),
    completion: .logOrDatabase)
  var log: String?

  var argument: LogArgument? { log.map { LogArgument(path: $0) } }
}

extension LogArgument {
  /// Creates the argument of a path that was given.
  fileprivate init(path: String) {
    self.init()
    log = path
  }
}
