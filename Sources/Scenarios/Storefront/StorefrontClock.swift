import Statistics

/// The clock of the visits, which are rare at night and frequent in the evening.
struct StorefrontClock {
  /// 2026-01-01T00:00:00Z.
  static let start: Int64 = 1_767_225_600_000_000

  /// The visit rate of each hour of the day, as a multiple of the average.
  private static let rates: [Double] = [
    0.5, 0.3, 0.2, 0.2, 0.2, 0.3, 0.5, 0.8, 1.0, 1.1, 1.2, 1.3,
    1.4, 1.3, 1.2, 1.2, 1.2, 1.3, 1.5, 1.7, 1.8, 1.7, 1.3, 0.8,
  ]

  private static let hour: Int64 = 3_600_000_000

  /// The time of the current visit in microseconds since 1970.
  private(set) var now: Int64

  /// The average number of microseconds per event.
  private let perEvent: Double

  /// Creates a clock that shows a start, from which a number of events take a number of days.
  init(days: Double, events: Int, start: Int64 = StorefrontClock.start) {
    now = start
    perEvent = days * 86_400_000_000 / Double(max(1, events))
  }

  /// Advances by a random gap, on average as long as the given number of events takes.
  ///
  /// The gap is a product of two uniform numbers, so short ones prevail, scaled by the visit rate of the hour.
  mutating func advance(events: Int, using generator: inout Xoshiro256) {
    let skewed = 4 * Draw.unit(using: &generator) * Draw.unit(using: &generator)
    var rest = skewed * perEvent * Double(events)
    while true {
      let hours = now / Self.hour
      let rate = Self.rates[Int(hours % 24)]
      let end = (hours + 1) * Self.hour
      let capacity = Double(end - now) * rate
      if rest < capacity {
        now += Int64(rest / rate)
        return
      }
      rest -= capacity
      now = end
    }
  }
}
