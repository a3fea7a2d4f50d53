public import EventLog
public import Replay
internal import Specifications

/// Resolves user-given names among the names of a log or a database.
///
/// An unknown name is an error that offers the nearest known one. Of several names, only one has to be known:
/// messages warn of the others. In a log without events every name is accepted.
public struct NameLookup: Sendable {
  /// The path of the log or database, as given by the user.
  public let path: String
  /// The names of the log or database.
  public let names: LogNames
  /// Whether the log or database has no events.
  public let isEmpty: Bool
  private let message: @Sendable (String) -> Void

  /// Creates a lookup among the names of a log; messages are passed to the closure.
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
  /// - Throws: ``ReportError`` if the name is unknown.
  @discardableResult
  public func code(of name: String, in vocabulary: Vocabulary) throws(ReportError) -> UInt32? {
    if let code = names.code(of: name, in: vocabulary) { return code }
    guard !isEmpty else { return nil }
    throw ReportError(.badData, text(name, vocabulary))
  }

  /// Returns an attribution with the code of the goal that its metric names.
  ///
  /// - Throws: ``ReportError`` if the name is unknown.
  public func resolving(_ attribution: Attribution) throws(ReportError) -> Attribution {
    guard let goal = attribution.metric.term.goal else { return attribution }
    var attribution = attribution
    attribution.metric = attribution.metric.resolved(try code(of: goal, in: .goals))
    return attribution
  }

  /// Returns the codes of the known names of a list.
  ///
  /// - Throws: ``ReportError`` if none is known.
  public func codes(of list: [String], in vocabulary: Vocabulary) throws -> Set<UInt32> {
    let codes = Set(list.compactMap { names.code(of: $0, in: vocabulary) })
    guard !isEmpty else { return codes }
    let unknown = list.filter { names.code(of: $0, in: vocabulary) == nil }
    try refuse(unknown, hasKnown: !codes.isEmpty) { text($0, vocabulary) }
    return codes
  }

  /// Throws an error if none of the selected experiments has the baseline.
  ///
  /// - Parameters:
  ///   - baseline: The name of the variant; nil for none.
  ///   - arms: The experiments and variants that have results; if there are none, the variants of the log count.
  /// - Throws: ``ReportError`` that offers the nearest of them.
  func require(
    _ baseline: String?, among arms: [(experiment: UInt32, variant: UInt32)]
  ) throws(ReportError) {
    let codes = Set(arms.map(\.variant)).sorted()
    guard let baseline else { return }
    let code = names.code(of: baseline, in: .variants)
    if let code, codes.contains(code) { return }
    guard !codes.isEmpty else {
      try self.code(of: baseline, in: .variants)
      return
    }
    let seen = codes.compactMap { names.string($0, in: .variants) }.distinctNames
    let experiments = Set(arms.map(\.experiment))
    let experiment = experiments.count > 1 ? nil : experiments.first.flatMap { names.string($0, in: .experiments) }
    let place = experiment.map { "experiment \"\($0)\" of \(path)" }
    throw ReportError(
      .badData,
      (code == nil
        ? "\(place ?? path) has no variant \"\(baseline)\""
        : "--baseline \"\(baseline)\" is not a variant of \(place ?? "any selected experiment of \(path)")")
        + NearestName.remedy(for: baseline, among: seen, lead: experiment == nil ? "available:" : "it has", most: 10))
  }

  /// Throws an error for the first unknown name if no name is known, and warns of the unknown names otherwise.
  package func refuse(
    _ unknown: [String], hasKnown: Bool, _ text: (String) throws -> String
  ) throws {
    try Self.refuse(unknown, hasKnown: hasKnown, message: message, text)
  }

  /// Throws an error or warns as above, given the known names directly.
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
