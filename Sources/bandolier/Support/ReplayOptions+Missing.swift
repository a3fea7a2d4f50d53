import DecidingCore
import EventLog
import Events
import Replay
import Reports
import Tables

/// Names that are given and that parts of a log lack. One part need not have a name, but one of all parts must.
extension ReplayOptions {
  /// Returns what is given and a log does not have: the dimension, and reasons that no system of Bandolier has.
  ///
  /// - Parameters:
  ///   - reader: The log.
  ///   - dimension: The dimension of the report; nil for none.
  /// - Returns: Texts such as `context.contry`, in bytewise order.
  /// - Throws: `LogError` if the names cannot be read.
  func missingNames(in reader: LogReader, _ dimension: Dimension?) throws -> [String] {
    let names = try LogNames(reader, [.reasons])
    let reasons = withoutReason.filter { names.code(of: $0, in: .reasons) == nil }
    var missing = Set(reasons.map { Array(Self.missing(reason: $0).utf8) })
    if let dimension, try dimension.absence(in: reader) != nil {
      missing.insert(Array("\(dimension)".utf8))
    }
    return missing.sorted { $0.lexicographicallyPrecedes($1) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Refuses names that no part of a log has, as they are refused for the whole log.
  ///
  /// - Parameters:
  ///   - missing: The texts that all parts have in common.
  ///   - path: The first of the parts.
  /// - Throws: ``Failure`` for a dimension, and for reasons if none is known; warns of them otherwise.
  func refuse(missing: [String], path: String) throws {
    var unknown = 0
    for reason in withoutReason {
      let text = Self.missing(reason: reason)
      guard missing.contains(where: { $0.hasSameBytes(as: text) }) else { continue }
      guard !Reason.allCases.contains(where: { $0.rawValue.hasSameBytes(as: reason) }) else {
        Message.print("note: \(path) has no \(text), so it leaves nothing out")
        continue
      }
      unknown += 1
      let message = Self.sentence(text, path)
      guard unknown < withoutReason.count else { throw Failure(exitCode: Failure.badData, message) }
      Message.print("warning: \(message)")
    }
    let reasons = withoutReason.map(Self.missing)
    for name in missing where !reasons.contains(where: { $0.hasSameBytes(as: name) }) {
      throw Failure(exitCode: Failure.badData, Self.sentence(name, path))
    }
  }

  private static func missing(reason: String) -> String { "reason \"\(reason)\"" }

  private static func sentence(_ name: String, _ path: String) -> String {
    "\(path): none of the parts has \(name); the same report of the log of one part says what it has"
  }
}
