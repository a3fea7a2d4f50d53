internal import Events

extension Attribution {
  /// The maximum number of goals of each code that count for a unit at a place; nil for no limit.
  var mostGoals: Int? { counting == .once ? min(limit ?? 1, 1) : limit }

  /// The last time that counts, in microseconds.
  var lastTime: Int64 { end?.microseconds ?? .max }

  /// Returns whether a time is at or before the end.
  func hasSeen(_ time: Int64) -> Bool { time <= lastTime }

  /// Returns whether the value of a goal, or the amount of a conversion, whichever way it goes, is within the bounds.
  @inline(__always)
  func isWithinBounds(_ event: UnitEvent) -> Bool {
    let value = event.kind == .conversion ? abs(event.number) : event.number
    return value >= minimum ?? -.infinity && value <= maximum ?? .infinity
  }

  /// Both windows set to the same one, in microseconds; nil for unlimited.
  public func limited(to window: Int64?) -> Attribution {
    var limited = self
    (limited.window, limited.conversionWindow) = (window, window)
    return limited
  }

  /// Returns the attribution of rewards that a metric makes up, within the window of the metric if it has one.
  public func measuring(_ metric: RewardMetric) -> Attribution {
    var measuring = metric.metric.window.map { limited(to: $0.length) } ?? self
    measuring.metric = metric
    return measuring
  }

  /// The rules for goals alone, or for conversions alone: each with its own window.
  public func of(_ source: ConversionSource) -> Attribution {
    limited(to: source == .conversions ? conversionWindow : window)
  }

  /// The window of what the metric counts; that of conversions if it counts both, as only that has a standard.
  public var metricWindow: Int64? { metric.signal.readsConversions ? conversionWindow : window }

  /// Returns whether a goal or conversion counts for an exposure: from the delay to the end of its window, and not
  /// after the end.
  @inline(__always)
  func isOpen(_ event: UnitEvent, since exposure: Int64) -> Bool {
    let start = Self.sum(exposure, delay)
    guard event.time >= start, hasSeen(event.time) else { return false }
    let window = event.kind == .conversion ? conversionWindow : window
    return window.map { event.time <= Self.sum(start, $0) } ?? true
  }

  /// Returns whether the window of a decision extends beyond the end, if such decisions are left out.
  func isInProgress(_ exposure: Int64) -> Bool {
    guard excludesInProgress, let end, let window = metricWindow else { return false }
    return Self.sum(Self.sum(exposure, delay), window) > end.microseconds
  }

  /// Returns the saturating sum of two times or durations.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (b < 0 ? .min : .max) : sum
  }
}
