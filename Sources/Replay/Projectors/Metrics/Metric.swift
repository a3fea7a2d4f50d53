internal import Specifications

/// A quantity measured for each unit of an experiment from its first exposure on: a sum, a count, an indicator, or a
/// ratio of two of these.
///
/// The text form is that of a specification: `reward`, `reward:goal=G`, `goals:goal=G`, `converted:goal=G`,
/// `conversions:goal=G`, `revenue:goal=G`, `decisions`, `visits`, or `ratio:of=revenue,over=conversions:goal=G`. Each
/// may have `direction=lower` or `direction=neutral` if more of it is not better, `window=14d` (or `none`), `cap=500`
/// (or `p99`) and `covariate=14d`, such as `reward:goal=latency,direction=lower`. A goal whose name contains a comma
/// cannot be written.
public struct Metric: Hashable, Sendable {
  /// Which values of a metric are better.
  public enum Direction: String, Sendable, CaseIterable {
    /// More is better, such as revenue.
    case higher
    /// Less is better, such as latency or refunds.
    case lower
    /// Neither is better: a change is told, and not judged.
    case neutral

    /// The factor that makes a difference of values a gain: -1 if less is better.
    package var sign: Double { self == .lower ? -1 : 1 }
  }

  /// The quantity that is summed.
  public enum Count: String, Sendable, CaseIterable {
    /// The values of goals of the experiment, 1 for a goal without a value.
    case reward
    /// Goals of the experiment.
    case goals
    /// 1 for a unit with at least one goal of the experiment or conversion that is not negative; otherwise 0.
    case converted
    /// Conversions.
    case conversions
    /// The revenue of conversions; a negative conversion counts below zero.
    case revenue
    /// Confirmed decisions at the point and slot.
    case decisions
    /// Visits, which end after 30 minutes without any event of the unit.
    case visits

    /// Whether it counts goals or conversions, so that one may be named.
    var takesGoal: Bool { self != .decisions && self != .visits }
  }

  /// The name of a metric, and how people write its values.
  public struct Label: Hashable, Sendable {
    /// The name by which it is asked for: letters, digits, `-`, `_` and `.`.
    public var name: String
    /// The name in sentences; nil for that by which it is asked for.
    public var title: String?
    /// The unit of measurement, such as `ms` or `€`; nil for none.
    public var unit: String?
    /// The number of decimals; nil for as many as matter.
    public var decimals: Int?
    /// The relative loss that is tolerated where it is a guardrail; nil for none.
    public var margin: Double?

    /// Creates a label.
    public init(_ name: String) { self.name = name }
  }

  /// How long goals and conversions count after an exposure.
  public struct Window: Hashable, Sendable {
    /// The length, in microseconds; nil for unlimited.
    public var length: Int64?

    /// Creates a window.
    public init(_ length: Int64?) { self.length = length }
  }

  /// A quantity and the goal that it is restricted to. Goals are told apart by their UTF-8 bytes.
  public struct Term: Hashable, Sendable {
    /// The quantity that is summed.
    public var count: Count
    /// The goal or conversion that counts; nil for all.
    public var goal: String?

    /// Creates a term.
    public init(_ count: Count, goal: String? = nil) {
      self.count = count
      self.goal = goal
    }

    /// Compares the UTF-8 bytes of goals.
    public static func == (a: Term, b: Term) -> Bool {
      a.count == b.count && a.goal.map(NameKey.init) == b.goal.map(NameKey.init)
    }

    /// Hashes the UTF-8 bytes of the goal.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(count)
      hasher.combine(goal.map(NameKey.init))
    }
  }

  /// The measured term; the numerator of a ratio.
  public var term: Term
  /// The denominator of a ratio: the metric is the sum of the numerator over all units divided by that of the
  /// denominator.
  public var denominator: Term?
  /// Which values are better.
  public var direction: Direction
  /// How long goals and conversions count after an exposure; nil for the window of the attribution.
  public var window: Window?
  /// The outlier cap: larger values of a unit count as this value, those of the numerator of a ratio too; nil for that
  /// of the projector. A percentile is one over the units of all variants of an experiment together.
  public var cap: Capping?
  /// The length of the period before the first exposure in which the same metric is the covariate of comparisons that
  /// name none, in microseconds; nil for no covariate.
  public var covariate: Int64?
  /// The name by which people know the metric, and how they write its values; nil for one without a name.
  public var label: Label?

  /// Creates a metric.
  public init(_ term: Term, over denominator: Term? = nil, direction: Direction = .higher) {
    self.term = term
    self.denominator = denominator
    self.direction = direction
  }

  /// Creates a metric that is not a ratio.
  public init(_ count: Count, goal: String? = nil, direction: Direction = .higher) {
    self.init(Term(count, goal: goal), direction: direction)
  }

  /// Returns whether another metric is measured in the same way, whichever direction is better.
  public func isSameQuantity(as other: Metric) -> Bool {
    term == other.term && denominator == other.denominator && window == other.window
      && cap == other.cap && covariate == other.covariate
  }

  /// Whether the value of every unit is either 0 or 1.
  public var isBinary: Bool { denominator == nil && term.count == .converted }

  /// The goals that the metric names.
  public var goals: [String] { [term.goal, denominator?.goal].compactMap { $0 } }
}
