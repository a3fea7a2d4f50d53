extension LogNames {
  /// A name that was kept elsewhere than in a log, with its code.
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

  /// Names that were kept, those of each vocabulary by ascending codes; nil when they are not, or when a name stands
  /// there twice. Units are not among them.
  package init?(kept names: some Sequence<Kept>, of vocabularies: Set<Vocabulary>) {
    self.init(path: "", vocabularies.subtracting([.units]))
    for kept in names {
      guard kept.code >= codeLimit(kept.vocabulary), add(kept) else { return nil }
    }
  }
}
