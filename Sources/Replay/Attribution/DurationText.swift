/// The text form of durations on the command line and in reports: `7d`, `12h`, `30min`, `90s`, `250ms`, `5us`; `1w`,
/// `30m` and `7`, a number of days, are parsed too.
package enum DurationText {
  private static let units: [(size: Int64, name: String)] = [
    (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"),
    (1_000, "ms"), (1, "us"),
  ]

  /// The units that are parsed and not written.
  private static let otherUnits: [(size: Int64, name: String)] = [
    (604_800_000_000, "w"), (60_000_000, "m"), (86_400_000_000, ""),
  ]

  /// Returns the number of microseconds of a duration; nil if the text is not a duration, or one too long for
  /// microseconds since 1970.
  ///
  /// A duration is a non-negative whole number of weeks, days, hours, minutes, seconds, milliseconds or microseconds;
  /// without a unit it is in days.
  package static func microseconds(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int64(digits),
      let unit = (units + otherUnits).first(where: { $0.name == text.dropFirst(digits.count) })
    else { return nil }
    let (product, isOver) = count.multipliedReportingOverflow(by: unit.size)
    return isOver ? nil : product
  }

  /// Returns a duration as text, in the largest unit that expresses it exactly.
  package static func text(_ microseconds: Int64) -> String {
    for (size, name) in units where microseconds % size == 0 && microseconds != 0 {
      return "\(microseconds / size)\(name)"
    }
    return "\(microseconds)us"
  }
}
