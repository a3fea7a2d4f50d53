public import Events

extension CSVReader {
  /// Returns a field of the record as text.
  ///
  /// - Complexity: O(length); allocates a string.
  public func text(_ column: Int) -> String {
    String(decoding: bytes[fields[column]], as: UTF8.self)
  }

  /// Returns a field as a decimal number such as `-12.5` or `1e-3`; nil for anything else, including `nan` and `inf`.
  public func number(_ column: Int) -> Double? {
    JSONNumber.double(of: bytes.span.extracting(fields[column]))
  }

  /// Returns a field as a time: ISO 8601 with offset, or a number since 1970 in seconds, milliseconds, microseconds
  /// or nanoseconds, distinguished by magnitude; nil for anything else.
  public func time(_ column: Int) -> Timestamp? {
    let text = bytes.span.extracting(fields[column])
    if let time = Timestamp(iso8601: text) { return time }
    guard DigitText.isWhole(text) else {
      return JSONNumber.double(of: text).flatMap { Timestamp(sinceEpoch: $0) }
    }
    return Int64(self.text(column)).flatMap { Timestamp(sinceEpoch: $0) }
  }

  /// Whether the record is well-formed UTF-8.
  public var isUTF8: Bool { isASCII || UTF8Check.isValid(bytes) }

  /// Reads the next record of a file that must be valid throughout, and returns its fields; nil at the end.
  ///
  /// - Throws: ``ImportError``, also if the record is not valid CSV or not UTF-8.
  public mutating func nextTexts() throws(ImportError) -> [String]? {
    switch try next() {
    case .end: return nil
    case .malformed(let reason, let offset):
      throw ImportError(
        .badData, "\(source.name): line \(line) (byte \(offset)): \(reason); fix the line")
    case .record:
      guard isUTF8 else {
        throw ImportError(
          .badData, "\(source.name): line \(line) (byte \(offset)) is not UTF-8; convert the file")
      }
      return fields.indices.map(text)
    }
  }
}

/// Validates UTF-8.
enum UTF8Check {
  static func isValid(_ bytes: [UInt8]) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }
}
