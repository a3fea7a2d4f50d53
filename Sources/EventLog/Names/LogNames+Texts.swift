extension LogNames {
  /// The names of a vocabulary as texts, in the order in which the log first met them; those that were erased are left
  /// out. Units are not among them: they are looked up one by one.
  ///
  /// - Complexity: O(length of the names).
  package func texts(_ vocabulary: Vocabulary) -> [String] {
    (vocabulary.firstCode..<max(vocabulary.firstCode, codeLimit(vocabulary))).compactMap {
      string($0, in: vocabulary)
    }
  }
}
