/// The numbers and lists of options and plans as text: `1000` or `1e3`, `0.05` or `5%`, `1,10,100`.
package enum WrittenValue {
  /// Parses an integer in digits or in exponent notation, such as `1e6` or `2.5e3`.
  ///
  /// - Returns: nil for other text, and for a number that has a fraction or does not fit.
  package static func integer<Number: FixedWidthInteger>(_ text: some StringProtocol) -> Number? {
    if let number = Number(text, radix: 10) { return number }
    guard text.utf8.contains(UInt8(ascii: "e")),
      text.utf8.allSatisfy(Array("+-.e0123456789".utf8).contains),
      // Doubles represent all integers up to 2^53.
      let number = Double(text), number.magnitude <= 0x1p53
    else { return nil }
    return Number(exactly: number)
  }

  /// Parses a number; a percentage is the number divided by 100, so `5%` is 0.05.
  package static func number(_ text: some StringProtocol) -> Double? {
    text.hasSuffix("%") ? Double("\(text.dropLast())e-2") : Double(text)
  }

  /// Returns the elements of a list separated by commas, or, if it has a semicolon, by semicolons.
  package static func elements<Text: StringProtocol>(_ text: Text) -> [Text.SubSequence] {
    text.split(
      separator: text.utf8.contains(UInt8(ascii: ";")) ? ";" : ",", omittingEmptySubsequences: false
    )
  }
}
