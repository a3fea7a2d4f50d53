public import Events

/// Which goals and conversions are credited to which exposures of a unit. It is a value, and is printed with every
/// result that it made.
///
/// Times are event times in microseconds. A goal counts for an exposure from `exposure + delay` to `exposure + delay +
/// window`, both ends included.
public struct Attribution: Hashable, Sendable {
  /// Who is credited when several exposures could be.
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

  /// How many goals of a unit count in an experiment.
  public enum Counting: String, Sendable, CaseIterable {
    /// All of them.
    case every
    /// The first one only.
    case once
  }

  /// What becomes of a unit that was seen in several variants of one experiment.
  public enum Crossing: String, Sendable, CaseIterable {
    /// It is left out, and counted.
    case drop
    /// It belongs to the variant of its first exposure.
    case first
  }

  /// Who is credited.
  public var rule: Rule
  /// How long goals count after an exposure, in microseconds; nil for ever.
  public var window: Int64?
  /// How long after an exposure goals begin to count, in microseconds.
  public var delay: Int64
  /// How many goals of a unit count in an experiment.
  public var counting: Counting
  /// The number of goals of a unit that count at most in an experiment, whatever their codes, points and slots: the first
  /// ones that can be credited. Conversions are counted apart from goals. Nil for no limit.
  public var limit: Int?
  /// Goals that are worth less do not count.
  public var minimum: Double?
  /// Goals that are worth more do not count.
  public var maximum: Double?
  /// Goals after this time do not count; nil for all.
  public var end: Timestamp?
  /// Whether exposures are left out whose window is not over at the end.
  public var excludesInProgress: Bool
  /// What becomes of a unit that was seen in several variants.
  public var crossing: Crossing

  /// Makes an attribution; by default the latest exposure gets every goal after it, and units in several variants are
  /// left out.
  public init(
    rule: Rule = .last, window: Int64? = nil, delay: Int64 = 0, counting: Counting = .every,
    limit: Int? = nil, minimum: Double? = nil, maximum: Double? = nil, end: Timestamp? = nil,
    excludesInProgress: Bool = false, crossing: Crossing = .drop
  ) {
    self.rule = rule
    self.window = window
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
  /// All that differs from the default, such as `last, window 7d, once per unit`.
  public var description: String {
    var parts = [rule.rawValue]
    parts.append(window.map { "window \(DurationText.text($0))" } ?? "no window")
    if delay != 0 { parts.append("delay \(DurationText.text(delay))") }
    if counting == .once { parts.append("once per unit and experiment") }
    if let limit { parts.append("at most \(limit) per unit and experiment") }
    if let minimum { parts.append("at least \(minimum)") }
    if let maximum { parts.append("at most \(maximum)") }
    if let end { parts.append("until \(end)") }
    if excludesInProgress { parts.append("without exposures in progress") }
    if crossing == .first { parts.append("units in several variants at their first") }
    return parts.joined(separator: ", ")
  }
}
