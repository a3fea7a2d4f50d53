extension LogNames {
  /// Returns the names of a vocabulary as texts, in the order of their first appearance in the log, without erased
  /// ones. Units are not included: they are looked up individually.
  ///
  /// - Complexity: O(length of the names).
  package func texts(_ vocabulary: Vocabulary) -> [String] {
    (vocabulary.firstCode..<max(vocabulary.firstCode, codeLimit(vocabulary))).compactMap {
      string($0, in: vocabulary)
    }
  }
}
