import Events

/// Dates written as whole numbers, `20260302`, or with a time of day, `20260302101500`, in UTC.
///
/// As seconds or milliseconds since 1970 such numbers would lie in August 1970 or in the 27th century, so the first
/// number of an input that is a date of the calendar tells that all are.
extension FieldTimes {
  /// Returns the time that a number of 8 or 14 digits writes as a date from 1900 to 2199; nil if it is none.
  static func calendarDate(_ text: Span<UInt8>) -> Timestamp? {
    guard text.count == 8 || text.count == 14, DigitText.isWhole(text) else { return nil }
    let century = 10 * (text[0] - 0x30) + text[1] - 0x30
    guard (19...21).contains(century) else { return nil }
    let digits = (0..<14).map { $0 < text.count ? text[$0] : 0x30 }
    // What stands before the digit at each place.
    let separators: [Int: Character] = [4: "-", 6: "-", 8: "T", 10: ":", 12: ":"]
    var written: [UInt8] = []
    for (place, digit) in digits.enumerated() {
      if let separator = separators[place]?.asciiValue { written.append(separator) }
      written.append(digit)
    }
    written.append(UInt8(ascii: "Z"))
    return Timestamp(iso8601: written.span)
  }
}
