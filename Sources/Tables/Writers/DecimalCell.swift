/// The text of numbers in every format but the one for terminals.
enum DecimalCell {
  /// Appends the shortest decimal text that reads back as the same number. Integers below 1e15 in magnitude have no
  /// `.0`, and minus zero is `0`. An infinity or a NaN, which no table contains, appends nothing.
  static func append(_ value: Double, to output: inout [UInt8]) {
    guard value.isFinite else { return }
    if value.magnitude < 1e15, let whole = Int(exactly: value) { return append(whole, to: &output) }
    output.append(contentsOf: value.description.utf8)
  }

  /// Appends an integer.
  static func append(_ value: Int, to output: inout [UInt8]) {
    output.append(contentsOf: value.description.utf8)
  }
}
