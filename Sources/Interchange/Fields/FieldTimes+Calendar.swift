import Events

/// Dates written as whole numbers, `20260302`, or with a time of day, `20260302101500`, in UTC.
///
/// As seconds or milliseconds since 1970 such numbers would lie in August 1970 or in the 27th century, so the first
/// number of an input that is a date of the calendar tells that all are.
extension FieldTimes {
  /// Returns the time that a number of 8 or 14 digits writes as a date from 1900 to 2199; nil if it is none.
  static func calendarDate(_ text: ArraySlice<UInt8>) -> Timestamp? {
    guard text.count == 8 || text.count == 14, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      ["19", "20", "21"].contains(where: { text.starts(with: $0.utf8) })
    else { return nil }
    let digits = Array(text) + [UInt8](repeating: 0x30, count: 14 - text.count)
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
