import Events
import Platform
import Projections
import Replay
import Reports
import Tables

/// Reports from a database created by `bandolier replay` instead of a log.
///
/// A database has the events of units, and the tables of some reports with default parameters. Options that
/// it does not support are rejected by name, never ignored.
extension ReplayOptions {
  /// Returns the options in the time zone that is given, or else that of a plan, or that of the tables of a database.
  func zoned(_ calendar: DayCalendar?, of argument: LogArgument) -> Self {
    guard timeZone == nil, calendar == nil, argument.isDatabase else { return zoned(calendar) }
    // What is wrong with a database is said where it is read.
    return zoned(try? ReadModel(argument.log).storedCalendar)
  }

  /// Returns the table of a report stored in a database; nil when the argument is not an SQLite database, and
  /// so should be a log, or when the table must be computed from the units.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - argument: The log argument of the verb.
  /// - Returns: The table.
  /// - Throws: Errors of reading the database.
  func readyTable(of report: some Report, in argument: LogArgument) throws -> Table? {
    guard selectionOptions.isEmpty, argument.isDatabase else { return nil }
    return try ReadModel(argument.log).readyTable(of: report)
  }

  /// Calls the body with the source of a database, if the argument names one.
  ///
  /// - Parameters:
  ///   - argument: The log argument of the verb.
  ///   - options: The given options that only a log supports.
  ///   - body: Makes the report.
  /// - Returns: Whether the argument names a database; otherwise it should be a log.
  /// - Throws: ``Failure`` when the database does not support the report or an option, and errors of the
  ///   closure.
  func readingDatabase(
    _ argument: LogArgument, refusing options: [String], _ body: (ReportSource) throws -> Void
  ) throws -> Bool {
    let path = argument.log
    guard argument.isDatabase else { return false }
    let given = selectionOptions.filter { $0 != .experiment && $0 != .timeZone }.map { "--\($0.rawValue)" }
    if let option = (given + options).first {
      throw Failure(
        exitCode: Failure.usage,
        "\(path) is a database, which does not support \(option); give the log itself")
    }
    try ReadModel(path).reading(jobs: jobs) { units in
      var units = units
      let whole = ReportSource(units, path: path, message: { Message.print($0) })
      units.experiments = try experimentCodes(whole.lookup)
      units.memoryLimit = memory
      try body(
        ReportSource(units, path: path, calendar: calendar, message: { Message.print($0) }))
    }
    return true
  }
}

extension LogArgument {
  /// Whether the file has the header of an SQLite database, or is empty, as an interrupted first replay leaves it.
  var isDatabase: Bool {
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe Platform.open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    // Safety: as many bytes are asked for as there is room for. A folder cannot be read.
    let count = unsafe read(descriptor, &bytes, 16)
    guard count == 16 else { return count == 0 && isRegular(descriptor) }
    return bytes == Array("SQLite format 3\0".utf8)
  }

  private func isRegular(_ descriptor: Int32) -> Bool {
    var info = stat()
    // Safety: info outlives the call.
    return unsafe fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }
}
