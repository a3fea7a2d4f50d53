internal import DecidingCore
public import Events

/// A visit: a period of visitor activity without a gap of 30 minutes.
public struct SiteVisit: Hashable, Sendable {
  /// The start of the visit.
  public var start: Timestamp
  /// The time of the last activity: a tracked trigger, a tracked conversion or a flush.
  public var lastActivity: Timestamp
  /// Whether the visit can still continue. The results of a closed visit are final.
  public var isOpen: Bool

  /// The inactivity timeout: a gap of exactly this length ends the visit.
  public static let timeout: Duration = .seconds(1_800)
}

/// The visits of one visitor, as far as targeting and clients need them.
struct VisitHistory: Hashable, Sendable, Codable {
  /// The number of visits.
  private(set) var count = 0
  /// The start of the first visit.
  private(set) var firstStart: Timestamp?
  /// The start of the latest visit, and its last activity.
  private(set) var start: Timestamp?
  private(set) var lastActivity: Timestamp?
  /// The start of the visit before the latest one; nil when there was none.
  private(set) var earlierStart: Timestamp?
  /// The starts of the visits in the day before the latest visit, without that one, ascending.
  private(set) var recentStarts: [Timestamp] = []

  private static let timeoutMicroseconds: Int64 = 1_800_000_000
  private static let dayMicroseconds: Int64 = 86_400_000_000

  /// Records activity. A time before the last one, as when the clock was set back, belongs to the same visit.
  mutating func activity(at time: Timestamp) {
    if let last = lastActivity, time.microseconds(since: last) < Self.timeoutMicroseconds {
      lastActivity = max(last, time)
      return
    }
    if let start {
      recentStarts.append(start)
      recentStarts.removeAll { time.microseconds(since: $0) > Self.dayMicroseconds }
    }
    earlierStart = start
    count.increment()
    firstStart = firstStart ?? time
    start = time
    lastActivity = time
  }

  /// Returns the latest visit, as of the given time.
  func latest(at time: Timestamp) -> SiteVisit? {
    guard let start, let lastActivity else { return nil }
    let isOpen = time.microseconds(since: lastActivity) < Self.timeoutMicroseconds
    return SiteVisit(start: start, lastActivity: lastActivity, isOpen: isOpen)
  }

  /// Returns the number of visits that began on the day of the given time, where days are those of UTC
  /// shifted by the offset.
  ///
  /// - Complexity: O(visits of a day).
  func count(onDayOf time: Timestamp, offsetSeconds: Int64 = 0) -> Int {
    let day = Self.day(of: time, offsetSeconds)
    func isOfDay(_ start: Timestamp) -> Bool { Self.day(of: start, offsetSeconds) == day }
    return recentStarts.count(where: isOfDay) + (start.map(isOfDay) == true ? 1 : 0)
  }

  private static func day(of time: Timestamp, _ offsetSeconds: Int64) -> Int64 {
    let moved = time.adding(seconds: offsetSeconds).microseconds
    let (days, rest) = moved.quotientAndRemainder(dividingBy: dayMicroseconds)
    return rest < 0 ? days - 1 : days
  }
}
