internal import Events

/// How numbers become text in every format but the one for terminals.
enum DecimalCell {
  /// Appends the shortest decimal text that reads back as the same number; whole numbers below
  /// 1e15 in magnitude have no `.0`, and minus zero is `0`. An infinity or a NaN, which no table
  /// holds, appends nothing.
  static func append(_ value: Double, to output: inout [UInt8]) {
    guard value.isFinite else { return }
    DecimalText.append(value == 0 ? 0 : value, to: &output)
  }

  /// Appends a whole number.
  static func append(_ value: Int, to output: inout [UInt8]) {
    DecimalText.append(Int64(value), to: &output)
  }
}
