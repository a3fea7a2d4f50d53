package import EventLog
internal import Statistics

/// Messages for a name that does not exist in a log.
package enum UnknownName {
  /// The number of names that a message lists if none is similar.
  private static let listed = 10

  /// Returns a sentence such as `shop.log has no experiment "pricng"; did you mean "pricing"?`, which lists what
  /// exists if no name is similar.
  ///
  /// - Parameters:
  ///   - name: The name that was given.
  ///   - vocabulary: The vocabulary that it should be in.
  ///   - names: The names of the log, those of the vocabulary among them.
  ///   - path: The log or database, as the user named it.
  /// - Returns: The sentence.
  package static func message(
    _ name: String, in vocabulary: Vocabulary, of names: LogNames, path: String
  ) -> String {
    message(name, noun: noun(vocabulary), among: names.texts(vocabulary), path: path)
  }

  /// Returns the same sentence for names that are no vocabulary of a log.
  ///
  /// - Parameters:
  ///   - name: The name that was given.
  ///   - noun: The kind of name that was expected, such as `study`.
  ///   - names: The names that exist.
  ///   - path: The log, database or file in which they exist.
  /// - Returns: The sentence.
  package static func message(
    _ name: String, noun: String, among names: [String], path: String
  ) -> String {
    "\(path) has no \(noun) \"\(name)\"" + remedy(for: name, among: names)
  }

  /// Returns the end of such a sentence: the most similar name, or else the names that exist.
  package static func remedy(for name: String, among names: [String]) -> String {
    let hint = NearestName.hint(for: name, among: names)
    guard hint.isEmpty else { return hint }
    guard !names.isEmpty else { return ", nor any other" }
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let shown = sorted.prefix(listed).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = sorted.count - listed
    return "; it has \(shown)" + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Returns the noun for one name of a vocabulary.
  static func noun(_ vocabulary: Vocabulary) -> String {
    switch vocabulary {
    case .units: "unit"
    case .experiments: "experiment"
    case .points: "point"
    case .slots: "slot"
    case .variants: "variant"
    case .policies: "policy"
    case .reasons: "reason"
    case .goals: "goal"
    case .dataKinds: "kind of data point"
    case .keys: "key"
    case .systems: "system"
    case .attributes: "attribute"
    case .values: "value"
    case .lists: "list"
    case .shapes: "shape"
    }
  }
}
