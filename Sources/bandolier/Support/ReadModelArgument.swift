import Glibc
import Projections
import Replay

/// A report's argument may be a database that `bandolier replay` made in place of a log.
///
/// A database holds the reports' own parameters only. What is asked of it beyond that is refused by the name of the
/// option, and never answered with something else.
extension ReplayOptions {
  /// The database that the argument names; nil when it names no SQLite database, and so should be a log.
  ///
  /// - Parameters:
  ///   - argument: What the verb was given as its log.
  ///   - options: What else it was given that only a log can answer.
  /// - Returns: The database, not opened yet.
  /// - Throws: ``Failure`` when it is a database that cannot answer.
  func readModel(_ argument: LogArgument, refusing options: [String] = []) throws -> ReadModel? {
    guard Self.isDatabase(argument.log) else { return nil }
    if let option = (given + options).first {
      throw Failure(
        exitCode: Failure.usage,
        "\(argument.log) is a database, which has no answer with \(option); give the log itself for that"
      )
    }
    return ReadModel(argument.log)
  }

  /// Refuses a database where only a log has the answer.
  ///
  /// - Throws: ``Failure`` when the argument names a database.
  func requireLog(_ argument: LogArgument) throws {
    guard Self.isDatabase(argument.log) else { return }
    throw Failure(
      exitCode: Failure.usage,
      "\(argument.log) is a database, which only has the answers of report rewards and report conversions; give the log itself"
    )
  }

  /// The options that say what of a log is looked at.
  private var given: [String] {
    [
      ("--experiment", !experiment.isEmpty), ("--since", since != nil), ("--until", until != nil),
      ("--without-reason", !withoutReason.isEmpty), ("--by", by != nil),
    ].filter(\.1).map(\.0)
  }

  /// Whether the file begins as those of SQLite do.
  private static func isDatabase(_ path: String) -> Bool {
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    // Safety: as many bytes are asked for as there is room for. A folder cannot be read.
    guard unsafe read(descriptor, &bytes, 16) == 16 else { return false }
    return bytes == Array("SQLite format 3\0".utf8)
  }
}

extension AttributionOptions {
  /// The options by which an attribution differs from the one that databases hold.
  func given(rule: Attribution.Rule) -> [String] {
    [
      ("--attribution \(rule.rawValue)", rule != .last), ("--window", window?.microseconds != nil),
      ("--delay", delay.map { $0.microseconds != 0 } ?? false), ("--once", once),
      ("--limit", limit != nil), ("--minimum", minimum != nil), ("--maximum", maximum != nil),
      ("--end", end != nil), ("--without-in-progress", withoutInProgress),
    ].filter(\.1).map(\.0)
  }
}
