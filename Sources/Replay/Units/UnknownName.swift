package import EventLog
internal import Specifications

/// Messages for a name that does not exist in a log.
package enum UnknownName {
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
    let texts = names.texts(vocabulary)
    let lost = Int(names.codeLimit(vocabulary)) - Int(vocabulary.firstCode) - texts.count
    return message(name, noun: noun(vocabulary), among: texts, path: path)
      + (lost > 0 ? "; \(lost) of its names are lost by damage: restore the file from a backup" : "")
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
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return "\(path) has no \(noun) \"\(name)\""
      + NearestName.remedy(for: name, among: sorted, lead: "it has")
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
