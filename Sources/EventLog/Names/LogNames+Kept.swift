extension LogNames {
  /// A name stored outside a log, with its code.
  package struct Kept {
    package var vocabulary: Vocabulary
    package var code: UInt32
    package var name: [UInt8]

    package init(_ vocabulary: Vocabulary, _ code: UInt32, _ name: [UInt8]) {
      self.vocabulary = vocabulary
      self.code = code
      self.name = name
    }
  }

  /// Creates the names from stored ones, those of each vocabulary by ascending codes; nil if they are not in order, or
  /// if a name occurs twice. Units are not included.
  package init?(kept names: some Sequence<Kept>, of vocabularies: Set<Vocabulary>) {
    self.init(path: "", vocabularies.subtracting([.units]))
    for kept in names {
      guard kept.code >= codeLimit(kept.vocabulary), add(kept) else { return nil }
    }
  }
}
