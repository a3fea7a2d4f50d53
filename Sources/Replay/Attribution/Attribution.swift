public import Events

/// The rules by which goals and conversions are credited to the exposures of a unit. Every result is printed with the
/// attribution that produced it.
///
/// Times are event times in microseconds. A goal counts for an exposure from `exposure + delay` to `exposure + delay +
/// window`, both ends included; a conversion up to the end of the conversion window.
public struct Attribution: Hashable, Sendable {
  /// The attribution rule: which of several eligible exposures are credited.
  public enum Rule: String, Sendable, CaseIterable {
    /// The latest exposure at or before the goal.
    case last
    /// The first exposure.
    case first
    /// Every exposure, each with the whole value.
    case all
    /// Every exposure, each with an equal part of the value.
    case linear
  }

  /// How many goals of each code of a unit count at a place (experiment, point and slot).
  public enum Counting: String, Sendable, CaseIterable {
    /// All of them.
    case every
    /// The first one only.
    case once
  }

  /// How units exposed to several variants of one experiment are handled.
  public enum Crossing: String, Sendable, CaseIterable {
    /// The unit is excluded, and counted as such.
    case drop
    /// It belongs to the variant of its first exposure.
    case first
  }

  /// The attribution rule.
  public var rule: Rule
  /// The attribution window of goals after an exposure, in microseconds; nil for unlimited.
  public var window: Int64?
  /// The attribution window of conversions after an exposure, in microseconds; nil for unlimited. It is 7 days unless
  /// it is set.
  public var conversionWindow: Int64? = standardConversionWindow
  /// The delay after an exposure before goals begin to count, in microseconds.
  public var delay: Int64
  /// How many goals of each code of a unit count at a place (experiment, point and slot).
  public var counting: Counting
  /// The maximum number of goals of each code of a unit that count at a place (experiment, point and slot): the first
  /// ones that can be credited there. Conversions are counted separately from goals. Nil for no limit.
  public var limit: Int?
  /// The minimum value of a goal, or amount of a conversion, a negative one too; smaller ones do not count.
  public var minimum: Double?
  /// The maximum value of a goal, or amount of a conversion, a negative one too; larger ones do not count.
  public var maximum: Double?
  /// The end of the analysis: goals after it do not count; nil for no end.
  public var end: Timestamp?
  /// Whether exposures whose window extends beyond the end are excluded.
  public var excludesInProgress: Bool
  /// How units exposed to several variants are handled.
  public var crossing: Crossing
  /// The standard attribution window of conversions: 7 days, in microseconds.
  public static let standardConversionWindow: Int64 = 7 * 86_400_000_000

  /// What makes up the reward of a decision. Metrics of units do not depend on it.
  public var metric = RewardMetric.standard

  /// Creates an attribution. By default the latest exposure is credited with every goal after it and the conversions of
  /// 7 days, and units exposed to several variants are excluded. A window is that of goals and of conversions.
  public init(
    rule: Rule = .last, window: Int64? = nil, delay: Int64 = 0, counting: Counting = .every,
    limit: Int? = nil, minimum: Double? = nil, maximum: Double? = nil, end: Timestamp? = nil,
    excludesInProgress: Bool = false, crossing: Crossing = .drop
  ) {
    self.rule = rule
    self.window = window
    if let window { conversionWindow = window }
    self.delay = delay
    self.counting = counting
    self.limit = limit
    self.minimum = minimum
    self.maximum = maximum
    self.end = end
    self.excludesInProgress = excludesInProgress
    self.crossing = crossing
  }
}

extension Attribution: CustomStringConvertible {
  /// The settings that differ from the default, such as `last, window 7d, once per unit`; without the metric.
  public var description: String {
    var parts = [rule.rawValue]
    parts.append(windowText)
    if delay != 0 { parts.append("delay \(DurationText.text(delay))") }
    if counting == .once { parts.append("once per unit and experiment") }
    if let limit { parts.append("at most \(limit) of each code per unit and place") }
    if let minimum { parts.append("at least \(minimum)") }
    if let maximum { parts.append("at most \(maximum)") }
    if let end { parts.append("until \(end)") }
    if excludesInProgress { parts.append("without exposures in progress") }
    if crossing == .first { parts.append("units in several variants at their first") }
    return parts.joined(separator: ", ")
  }

  /// The window of what the metric counts.
  private var windowText: String {
    func text(_ window: Int64?) -> String {
      window.map { "window \(DurationText.text($0))" } ?? "no window"
    }
    let signal = metric.signal
    guard signal.readsGoals, signal.readsConversions, window != conversionWindow else {
      return text(metricWindow)
    }
    return "\(text(window)) for goals and \(text(conversionWindow)) for conversions"
  }
}
