import Glibc
import Projections
import Replay

/// A report's argument may be a database that `bandolier replay` made in place of a log.
///
/// A database holds the events of units, and some reports with their own parameters ready. What it has no answer to is
/// refused by the name of the option, and never answered with something else.
extension ReplayOptions {
  /// The database that the argument names, when it is to answer what it holds ready; nil when it names no SQLite
  /// database, and so should be a log, or when the units must be looked at.
  ///
  /// - Parameters:
  ///   - argument: What the verb was given as its log.
  ///   - isReady: Whether the verb was given nothing but what the database holds ready.
  /// - Returns: The database, not opened yet.
  func readModel(_ argument: LogArgument, where isReady: Bool) -> ReadModel? {
    guard isReady, experiment.isEmpty, given.isEmpty, Self.isDatabase(argument.log) else {
      return nil
    }
    return ReadModel(argument.log)
  }

  /// Hands out what a database holds, if the argument names one.
  ///
  /// - Parameters:
  ///   - argument: What the verb was given as its log.
  ///   - options: What else it was given that only a log can answer.
  ///   - body: Makes the report.
  /// - Returns: Whether the argument names a database; otherwise it should be a log.
  /// - Throws: ``Failure`` when it is a database that cannot answer, and what the closure throws.
  func readingDatabase(
    _ argument: LogArgument, refusing options: [String], _ body: (ReportSource) throws -> Void
  ) throws -> Bool {
    let path = argument.log
    guard Self.isDatabase(path) else { return false }
    if let option = (given + options).first {
      throw Failure(
        exitCode: Failure.usage,
        "\(path) is a database, which has no answer with \(option); give the log itself for that")
    }
    try ReadModel(path).reading(jobs: jobs) { units in
      var units = units
      let source = ReportSource(units, path: path)
      units.experiments = try experimentCodes(source.lookup)
      units.memoryLimit = memory?.bytes
      try body(ReportSource(units, path: path))
    }
    return true
  }

  /// The options that say what of a log is looked at, and that a database has no answer with.
  private var given: [String] {
    [
      ("--since", since != nil), ("--until", until != nil),
      ("--without-reason", !withoutReason.isEmpty), ("--by", by != nil),
    ].filter(\.1).map(\.0)
  }

  /// Whether the file begins as those of SQLite do, or is empty, as a first replay leaves it that was interrupted.
  private static func isDatabase(_ path: String) -> Bool {
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    // Safety: as many bytes are asked for as there is room for. A folder cannot be read.
    let count = unsafe read(descriptor, &bytes, 16)
    guard count == 16 else { return count == 0 && isRegular(descriptor) }
    return bytes == Array("SQLite format 3\0".utf8)
  }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var info = stat()
    // Safety: info outlives the call.
    return unsafe fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }
}

extension AttributionOptions {
  /// Whether the attribution is the one that databases hold rewards of.
  func isStandard(rule: Attribution.Rule) -> Bool {
    attribution(rule: rule, standardWindow: nil) == Attribution()
  }
}
