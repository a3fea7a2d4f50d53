public import Statistics

/// Something that is measured of each unit in an experiment, from its first exposure on: a sum, a count, whether
/// something happened at all, or one of these over another.
///
/// It is written as policies are: `reward`, `reward:goal=G`, `goals:goal=G`, `converted:goal=G`, `conversions:goal=G`,
/// `revenue:goal=G`, `decisions`, `visits`, or `ratio:of=revenue,over=conversions:goal=G`. The name of a goal that has a
/// comma cannot be written.
public struct Metric: Hashable, Sendable {
  /// What is added up.
  public enum Count: String, Sendable, CaseIterable {
    /// The values of goals of the experiment, 1 for one without a value.
    case reward
    /// Goals of the experiment.
    case goals
    /// 1 for a unit with at least one goal of the experiment, or conversion that takes none back; else 0.
    case converted
    /// Conversions.
    case conversions
    /// The revenue of conversions; one that takes an earlier one back counts below zero.
    case revenue
    /// Confirmed decisions at the point and slot.
    case decisions
    /// Visits: 30 minutes without any event of the unit end one.
    case visits

    /// Whether it is of goals or conversions, one of which may be named.
    var takesGoal: Bool { self != .decisions && self != .visits }
  }

  /// What is added up, and of which goal.
  public struct Term: Hashable, Sendable {
    /// What is added up.
    public var count: Count
    /// The goal or conversion that counts; nil for all.
    public var goal: String?

    /// Makes a term.
    public init(_ count: Count, goal: String? = nil) {
      self.count = count
      self.goal = goal
    }
  }

  /// What is measured; of a ratio the part above the line.
  public var term: Term
  /// Of a ratio the part below the line: the metric is the sum of one over all units by the sum of the other.
  public var denominator: Term?

  /// Makes a metric.
  public init(_ term: Term, over denominator: Term? = nil) {
    self.term = term
    self.denominator = denominator
  }

  /// Makes a metric that is no ratio.
  public init(_ count: Count, goal: String? = nil) { self.init(Term(count, goal: goal)) }

  /// Whether a unit has either 0 or 1.
  public var isBinary: Bool { denominator == nil && term.count == .converted }

  /// The goals that it names.
  public var goals: [String] { [term.goal, denominator?.goal].compactMap { $0 } }
}

extension Metric {
  /// Reads a metric.
  ///
  /// - Throws: `SpecificationError` that says what there is.
  public init(parsing text: String) throws(SpecificationError) {
    let specification = try Specification(parsing: text)
    guard specification.name == "ratio" else {
      self.init(try Term(specification))
      return
    }
    try specification.requireKeys(among: ["of", "over"])
    guard let of = specification["of"], let over = specification["over"] else {
      throw SpecificationError(
        "\"\(text)\" lacks a part; write ratio:of=METRIC,over=METRIC, such as "
          + "ratio:of=revenue,over=conversions")
    }
    self.init(
      try Term(try Specification(parsing: of)), over: try Term(try Specification(parsing: over)))
  }
}

extension Metric.Term {
  fileprivate init(_ specification: Specification) throws(SpecificationError) {
    guard let count = Metric.Count(rawValue: specification.name) else {
      let names = Metric.Count.allCases.map(\.rawValue) + ["ratio:of=METRIC,over=METRIC"]
      throw SpecificationError(
        "\"\(specification.name)\" is no metric"
          + NearestName.choices(for: specification.name, among: names)
      )
    }
    try specification.requireKeys(among: count.takesGoal ? ["goal"] : [])
    self.init(count, goal: specification["goal"])
  }
}

extension Metric: CustomStringConvertible {
  /// The metric as it is written.
  public var description: String {
    guard let denominator else { return term.description }
    return "ratio:of=\(term),over=\(denominator)"
  }
}

extension Metric.Term: CustomStringConvertible {
  /// The term as it is written.
  public var description: String { count.rawValue + (goal.map { ":goal=\($0)" } ?? "") }
}
