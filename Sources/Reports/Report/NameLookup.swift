public import EventLog
internal import Replay

/// Looks up names that somebody gave among those of a log or a database.
///
/// A name that is unknown is refused with an error that offers the nearest one. Of several names it is enough that one is
/// known: a message warns of the others. A log without events knows no name, so there every name passes.
public struct NameLookup: Sendable {
  /// The log or database, as it was named.
  public let path: String
  /// Its names.
  public let names: LogNames
  /// Whether it has no events.
  public let isEmpty: Bool
  private let message: @Sendable (String) -> Void

  /// Looks up names of a log; messages go to the closure.
  package init(
    path: String, names: LogNames, isEmpty: Bool, message: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.names = names
    self.isEmpty = isEmpty
    self.message = message
  }

  /// Returns the code of a name; nil in a log without events.
  ///
  /// - Throws: ``ReportError`` when the name is unknown.
  @discardableResult
  public func code(of name: String, in vocabulary: Vocabulary) throws(ReportError) -> UInt32? {
    if let code = names.code(of: name, in: vocabulary) { return code }
    guard !isEmpty else { return nil }
    throw ReportError(.badData, text(name, vocabulary))
  }

  /// Returns the codes of those of the names that are known.
  ///
  /// - Throws: ``ReportError`` when none is.
  public func codes(of list: [String], in vocabulary: Vocabulary) throws -> Set<UInt32> {
    let codes = Set(list.compactMap { names.code(of: $0, in: vocabulary) })
    guard !isEmpty else { return codes }
    let unknown = list.filter { names.code(of: $0, in: vocabulary) == nil }
    try refuse(unknown, hasKnown: !codes.isEmpty) { text($0, vocabulary) }
    return codes
  }

  /// Refuses a baseline that the log has, but none of the experiments that are looked at.
  ///
  /// - Parameters:
  ///   - baseline: The name of the variant, if one was given.
  ///   - codes: The variants that have results; none where nothing is looked at, which is another matter.
  /// - Throws: ``ReportError`` that offers the nearest of them.
  func require(_ baseline: String?, among codes: some Sequence<UInt32>) throws(ReportError) {
    let codes = Set(codes).sorted()
    guard let baseline, !codes.isEmpty else { return }
    if let code = names.code(of: baseline, in: .variants), codes.contains(code) { return }
    let seen = codes.compactMap { names.string($0, in: .variants) }
    throw ReportError(
      .badData,
      "--baseline \"\(baseline)\" is a variant of none of the experiments that are looked at in \(path)"
        + UnknownName.remedy(for: baseline, among: seen))
  }

  /// Throws for the first unknown name when no name is known, and warns of the unknown ones otherwise.
  package func refuse(
    _ unknown: [String], hasKnown: Bool, _ text: (String) throws -> String
  ) throws {
    try Self.refuse(unknown, hasKnown: hasKnown, message: message, text)
  }

  /// The same without the names of a log.
  package static func refuse(
    _ unknown: [String], hasKnown: Bool, message: (String) -> Void,
    _ text: (String) throws -> String
  ) throws {
    guard let first = unknown.first else { return }
    guard hasKnown else { throw ReportError(.badData, try text(first)) }
    for name in unknown { message("warning: \(try text(name))") }
  }

  private func text(_ name: String, _ vocabulary: Vocabulary) -> String {
    UnknownName.message(name, in: vocabulary, of: names, path: path)
  }
}
