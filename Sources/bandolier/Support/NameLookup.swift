import EventLog
import Replay

/// Looks up names that a user gave among those of a log or a database.
///
/// A name that is unknown ends the command with an error that offers the nearest one. Of several names it is enough that one
/// is known: the others are noted on standard error. A log without events knows no name, so there every name passes.
struct NameLookup {
  /// The log or database, as the user named it.
  let path: String
  let names: LogNames
  /// Whether it has no events.
  let isEmpty: Bool

  /// The code of a name; nil in a log without events.
  ///
  /// - Throws: ``Failure`` when the name is unknown.
  @discardableResult
  func code(of name: String, in vocabulary: Vocabulary) throws -> UInt32? {
    if let code = names.code(of: name, in: vocabulary) { return code }
    guard !isEmpty else { return nil }
    throw Failure(exitCode: Failure.badData, message(name, vocabulary))
  }

  /// The codes of those of the names that are known.
  ///
  /// - Throws: ``Failure`` when none is.
  func codes(of list: [String], in vocabulary: Vocabulary) throws -> Set<UInt32> {
    let codes = Set(list.compactMap { names.code(of: $0, in: vocabulary) })
    guard !isEmpty else { return codes }
    let unknown = list.filter { names.code(of: $0, in: vocabulary) == nil }
    try Self.refuse(unknown, hasKnown: !codes.isEmpty) { message($0, vocabulary) }
    return codes
  }

  /// Throws for the first unknown name when no name is known, and notes the unknown ones otherwise.
  static func refuse(
    _ unknown: [String], hasKnown: Bool, _ message: (String) throws -> String
  ) throws {
    guard let first = unknown.first else { return }
    guard hasKnown else { throw Failure(exitCode: Failure.badData, try message(first)) }
    for name in unknown { Message.print("warning: \(try message(name))") }
  }

  private func message(_ name: String, _ vocabulary: Vocabulary) -> String {
    UnknownName.message(name, in: vocabulary, of: names, path: path)
  }
}
