public import Events

/// A calendar period into which a series is divided.
public enum Period: String, Sendable, CaseIterable {
  /// A day, from midnight to midnight.
  case day
  /// An ISO 8601 week, from Monday to Sunday.
  case week
  /// An hour, from full hour to full hour.
  case hour

  /// The length, in microseconds.
  package var length: Int64 {
    switch self {
    case .hour: 3_600_000_000
    case .day: 86_400_000_000
    case .week: 604_800_000_000
    }
  }

  /// The first start of a period from 1970 on: 1970-01-01 was a Thursday.
  private var origin: Int64 { self == .week ? 4 * 86_400_000_000 : 0 }

  /// Returns the number of the period that contains a time; 0 is the period that begins at or first after midnight of
  /// 1970-01-01. An hour that clocks show twice is one period.
  ///
  /// - Parameters:
  ///   - time: A time in microseconds since 1970.
  ///   - calendar: The days of a time zone.
  /// - Returns: The number, negative for earlier times.
  public func index(of time: Int64, in calendar: DayCalendar = .utc) -> Int64 {
    let time = calendar.clock(at: time)
    let whole = Self.floor(time, length)
    // Between 0 and the length, so that nothing overflows.
    let rest = time &- whole &* length
    return rest < origin ? whole - 1 : whole
  }

  private static func floor(_ time: Int64, _ length: Int64) -> Int64 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: length)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Returns whether the zone of a calendar has a period: clocks skip an hour in spring, and some zones skipped a day.
  package func exists(_ index: Int64, in calendar: DayCalendar) -> Bool {
    guard !calendar.isUTC else { return true }
    let start = index &* length &+ origin
    return calendar.hasClock(from: start, to: start &+ length)
  }

  /// Returns the start of a period by the clock: `2026-01-02`, and `2026-01-02T03:00` for an hour.
  public func text(_ index: Int64) -> String {
    let start = Timestamp(microseconds: index &* length &+ origin).description
    return String(start.prefix { $0 != "T" })
      + (self == .hour ? String(start.drop { $0 != "T" }.prefix(6)) : "")
  }
}
