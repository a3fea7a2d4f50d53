/// Errors of states that were decoded and cannot be.
extension Decoder {
  /// Returns the error that the value is damaged.
  func damaged(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
  }
}

extension KeyedDecodingContainer {
  /// Returns the error that the value of a key is damaged.
  func damaged(_ key: Key, _ description: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: description)
  }
}
