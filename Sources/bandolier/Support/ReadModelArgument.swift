import Glibc
import Projections
import Replay
import Reports
import Tables

/// A report's argument may be a database that `bandolier replay` made in place of a log.
///
/// A database holds the events of units, and some reports with their own parameters ready. What it has no answer to is
/// refused by the name of the option, and never answered with something else.
extension ReplayOptions {
  /// The table of a report that a database holds ready; nil when the argument names no SQLite database, and so should be a
  /// log, or when the units must be looked at.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - argument: What the verb was given as its log.
  /// - Returns: The table.
  /// - Throws: What keeps the database from being read.
  func readyTable(of report: some Report, in argument: LogArgument) throws -> Table? {
    guard experiment.isEmpty, given.isEmpty, Self.isDatabase(argument.log) else { return nil }
    return try ReadModel(argument.log).readyTable(of: report)
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
      let whole = ReportSource(units, path: path, message: { Message.print($0) })
      units.experiments = try experimentCodes(whole.lookup)
      units.memoryLimit = memory?.bytes
      try body(ReportSource(units, path: path, message: { Message.print($0) }))
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
