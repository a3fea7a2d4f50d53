public import Specifications

/// A quantity measured for each unit of an experiment from its first exposure on: a sum, a count, an indicator, or a
/// ratio of two of these.
///
/// The text form is that of a specification: `reward`, `reward:goal=G`, `goals:goal=G`, `converted:goal=G`,
/// `conversions:goal=G`, `revenue:goal=G`, `decisions`, `visits`, or `ratio:of=revenue,over=conversions:goal=G`. A
/// goal whose name contains a comma cannot be written.
public struct Metric: Hashable, Sendable {
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

  /// Creates a metric.
  public init(_ term: Term, over denominator: Term? = nil) {
    self.term = term
    self.denominator = denominator
  }

  /// Creates a metric that is not a ratio.
  public init(_ count: Count, goal: String? = nil) { self.init(Term(count, goal: goal)) }

  /// Whether the value of every unit is either 0 or 1.
  public var isBinary: Bool { denominator == nil && term.count == .converted }

  /// The goals that the metric names.
  public var goals: [String] { [term.goal, denominator?.goal].compactMap { $0 } }
}

extension Metric {
  /// The forms of the text of a metric, without goals, and with metrics to replace in capitals.
  package static let forms = Count.allCases.map(\.rawValue) + ["ratio:of=METRIC,over=METRIC"]

  /// Parses a metric.
  ///
  /// - Throws: `SpecificationError` that lists the available metrics.
  public init(parsing text: String) throws(SpecificationError) {
    let specification = try Specification(parsing: text)
    guard specification.name == "ratio" else {
      self.init(try Term(specification))
      return
    }
    try specification.requireKeys(among: ["of", "over"])
    guard let of = specification["of"], let over = specification["over"] else {
      throw SpecificationError(
        "\"\(text)\" is incomplete; write ratio:of=METRIC,over=METRIC, such as "
          + "ratio:of=revenue,over=conversions")
    }
    self.init(
      try Term(try Specification(parsing: of)), over: try Term(try Specification(parsing: over)))
  }
}

extension Metric.Term {
  fileprivate init(_ specification: Specification) throws(SpecificationError) {
    guard let count = Metric.Count(rawValue: specification.name) else {
      throw SpecificationError(
        NearestName.unknown("metric", specification.name, among: Metric.forms))
    }
    try specification.requireKeys(among: count.takesGoal ? ["goal"] : [])
    self.init(count, goal: specification["goal"])
  }
}

extension Metric: CustomStringConvertible {
  /// The text form of the metric.
  public var description: String {
    guard let denominator else { return term.description }
    return "ratio:of=\(term),over=\(denominator)"
  }
}

extension Metric.Term: CustomStringConvertible {
  /// The text form of the term.
  public var description: String { count.rawValue + (goal.map { ":goal=\($0)" } ?? "") }
}
