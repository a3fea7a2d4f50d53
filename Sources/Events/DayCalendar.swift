/// The calendar of a time zone: which day a time belongs to, and when a day starts.
///
/// Every report that speaks of days, weeks or months asks one of these. Days are numbered from 1970-01-01, which is 0,
/// by the date that clocks of the zone show, so that a day on which they are changed has 23 or 25 hours. A day that the
/// zone skipped, such as 2011-12-30 in Samoa, has no time and starts with the next one; where clocks go back across
/// midnight, the repeated minutes belong to the earlier date again, as they do on the clocks.
public struct DayCalendar: Sendable {
  /// A time from which on clocks of the zone have an offset.
  struct Change: Hashable, Sendable {
    /// The time, in microseconds since 1970.
    var time: Int64
    /// How far clocks are ahead of UTC, in microseconds.
    var offset: Int64
  }

  /// The name of the zone, such as `Europe/Madrid`, or `UTC`.
  public let zone: String
  /// The changes in order, the first one at the earliest time; empty for UTC.
  private let changes: [Change]

  /// UTC, whose days all have 24 hours.
  public static let utc = DayCalendar(zone: "UTC", changes: [])

  /// The length of a day without changes, in microseconds.
  public static let usualDay: Int64 = 86_400_000_000

  /// Creates a calendar of changes, of which those of the last 400 years before ``horizon`` are repeated after it.
  init(zone: String, changes: [Change]) { (self.zone, self.changes) = (zone, changes) }

  /// 2538-01-01T00:00:00Z, from which on the changes of the 400 years before are repeated, as dates and days of the
  /// week are.
  static let horizon = Int64(Calendar.days(year: horizonYear, month: 1, day: 1)) * usualDay
  static let horizonYear = 2538
  /// 400 years.
  private static let cycle: Int64 = 146_097 * usualDay

  /// Whether it is that of UTC.
  public var isUTC: Bool { changes.isEmpty }

  // MARK: Clocks

  /// Returns what clocks of the zone show, in microseconds since they showed 1970-01-01T00:00:00.
  ///
  /// - Parameter time: A time in microseconds since 1970-01-01T00:00:00Z.
  /// - Returns: The time that is shown.
  /// - Complexity: O(log changes), about 10 comparisons; O(1) for UTC.
  public func clock(at time: Int64) -> Int64 {
    guard !changes.isEmpty else { return time }
    let (clock, isOver) = time.addingReportingOverflow(changes[change(at: time)].offset)
    return isOver ? time : clock
  }

  /// Returns the first time at which clocks of the zone show a time or a later one.
  ///
  /// - Parameter clock: What they show, as of ``clock(at:)``.
  /// - Returns: The time in microseconds since 1970-01-01T00:00:00Z.
  public func time(ofClock clock: Int64) -> Int64 {
    guard !changes.isEmpty else { return clock }
    if clock >= Self.horizon {
      let cycles = ((clock - Self.horizon) / Self.cycle + 1) * Self.cycle
      return time(ofClock: clock - cycles) &+ cycles
    }
    // No zone is more than 26 hours from UTC, so no earlier time is shown this late.
    let margin = 26 * Self.usualDay / 24
    for index in change(at: clock < .min + margin ? .min : clock - margin)..<changes.count {
      let (own, isOver) = clock.subtractingReportingOverflow(changes[index].offset)
      let time = max(changes[index].time, isOver ? clock : own)
      if index + 1 == changes.count || time < changes[index + 1].time { return time }
    }
    return clock
  }

  /// Returns the index of the change that a time follows.
  private func change(at time: Int64) -> Int {
    let time = time < Self.horizon ? time : Self.horizon - Self.cycle + (time - Self.horizon) % Self.cycle
    var (low, high) = (0, changes.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Days

  /// Returns the day of a time in microseconds since 1970-01-01T00:00:00Z, counted from 1970-01-01.
  public func day(of time: Int64) -> Int64 {
    let (day, rest) = clock(at: time).quotientAndRemainder(dividingBy: Self.usualDay)
    return rest < 0 ? day - 1 : day
  }

  /// Returns the start of a day counted from 1970-01-01, in microseconds since 1970-01-01T00:00:00Z.
  public func start(ofDay day: Int64) -> Int64 { time(ofClock: day &* Self.usualDay) }

  /// Returns whether clocks of the zone showed a time from one to another, which is exclusive: they skip an hour in
  /// spring, and zones that moved across the date line skipped a day.
  public func hasClock(from start: Int64, to end: Int64) -> Bool {
    time(ofClock: start) < time(ofClock: end)
  }

  // MARK: Text

  /// Returns the date of a day counted from 1970-01-01, such as `2026-01-02`.
  public static func date(ofDay day: Int64) -> String {
    String(Timestamp(microseconds: day &* usualDay).description.prefix { $0 != "T" })
  }

  /// Returns the start of a date such as `2026-01-02`; nil for any other text.
  public func start(ofDate text: String) -> Timestamp? {
    guard text.utf8.count == 10 else { return nil }
    return Timestamp(iso8601: Array("\(text)T00:00:00Z".utf8).span).map {
      Timestamp(microseconds: time(ofClock: $0.microseconds))
    }
  }

  /// Returns a time as clocks of the zone show it, with their offset: `2026-01-02T00:00:00+01:00`; in UTC with `Z`.
  public func text(_ time: Timestamp) -> String {
    let offset = (clock(at: time.microseconds) - time.microseconds) / 1_000_000
    // Offsets before 1972 may have seconds, which ISO 8601 cannot write.
    guard offset != 0, offset % 60 == 0 else { return time.description }
    let clock = Timestamp(microseconds: time.microseconds + offset * 1_000_000).description
    let minutes = abs(offset) / 60
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(clock.dropLast())\(offset < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
  }

  /// The name with a digest of the changes, which is the same for zones whose days are: editions of the time zone
  /// database differ.
  public var identity: String {
    guard !isUTC else { return zone }
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for change in changes {
      for word in [change.time, change.offset] {
        digest = (digest ^ UInt64(bitPattern: word)) &* 0x100_0000_01b3
        digest ^= digest >> 29
      }
    }
    return "\(zone) \(String(digest, radix: 16))"
  }
}

extension DayCalendar: Hashable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Hashes the name alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(zone) }

  /// The name of the zone.
  public var description: String { zone }

  /// The name of the zone, with the digest of its changes.
  public var debugDescription: String { identity }
}
