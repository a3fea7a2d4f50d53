internal import DecidingCore
public import Events

/// A time during which a visitor was active, without a pause of 30 minutes.
public struct SiteVisit: Hashable, Sendable {
  /// When it began.
  public var start: Timestamp
  /// The last activity: a tracked trigger, a conversion tracked, a flush.
  public var lastActivity: Timestamp
  /// Whether it can still go on. When it has ended its results are final.
  public var isOpen: Bool

  /// How long a visitor may be inactive: a pause of exactly this length ends the visit.
  public static let timeout: Duration = .seconds(1_800)

  /// Makes a visit.
  public init(start: Timestamp, lastActivity: Timestamp, isOpen: Bool) {
    self.start = start
    self.lastActivity = lastActivity
    self.isOpen = isOpen
  }
}

/// The visits of one visitor, as far as anything asks about them.
struct VisitHistory: Hashable, Sendable, Codable {
  /// Number of visits so far.
  private(set) var count = 0
  /// When the very first one began.
  private(set) var firstStart: Timestamp?
  /// When the latest one began, and its last activity.
  private(set) var start: Timestamp?
  private(set) var lastActivity: Timestamp?
  /// When the one before the latest began; nil when there was none.
  private(set) var earlierStart: Timestamp?
  /// When the visits of the last day before the latest one began, without that one, ascending.
  private(set) var recentStarts: [Timestamp] = []

  private static let timeoutMicroseconds: Int64 = 1_800_000_000
  private static let dayMicroseconds: Int64 = 86_400_000_000

  /// The visitor was active. An earlier time than the last one, from a clock that was set back, stays in the
  /// visit.
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

  /// The latest visit, as it is at the time.
  func latest(at time: Timestamp) -> SiteVisit? {
    guard let start, let lastActivity else { return nil }
    let isOpen = time.microseconds(since: lastActivity) < Self.timeoutMicroseconds
    return SiteVisit(start: start, lastActivity: lastActivity, isOpen: isOpen)
  }

  /// Number of visits that began on the day of the time, days being those of UTC moved by the offset.
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
