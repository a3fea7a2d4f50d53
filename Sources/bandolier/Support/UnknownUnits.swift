import EventLog
import Replay
import Specifications

/// The units, of those given, without any event in a log.
struct UnknownUnits {
  /// Their names, in the order given.
  let names: [String]
  private let log: LogReader
  private let known: LogNames

  /// Looks units up. Life-cycle events for everyone have the unit `""`, which is known in every log.
  ///
  /// - Throws: Errors of reading the names of the log.
  /// - Complexity: O(length of the names of the log's units).
  init(_ units: [String], of log: LogReader) throws {
    self.log = log
    known = try LogNames(log, [.units])
    var missing = Set(units.map { Array($0.utf8) })
    missing.remove([])
    for code in 1..<max(1, log.codeLimit(.units)) where !missing.isEmpty {
      if let name = try known.unit(code) { missing.remove(Array(name)) }
    }
    names = units.filter { missing.contains(Array($0.utf8)) }
  }

  /// Returns the message about one of them.
  func message(_ name: String) throws -> String {
    var failure: (any Error)?
    let units = (1..<max(1, log.codeLimit(.units))).lazy.compactMap { code -> String? in
      do {
        return try known.unit(code).map { String(decoding: $0, as: UTF8.self) }
      } catch {
        failure = error
        return nil
      }
    }
    let near = NearestName.nearest(to: name, among: units)
    if let failure { throw failure }
    return "\(log.path) has no event of unit \"\(name)\""
      + (near.map { "; did you mean \"\($0)\"?" } ?? "; check how the log names its units")
  }
}
