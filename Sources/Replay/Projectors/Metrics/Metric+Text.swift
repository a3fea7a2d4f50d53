public import Specifications

extension Metric {
  /// The forms of the text of a metric, without goals, and with metrics to replace in capitals.
  package static let forms = Count.allCases.map(\.rawValue) + ["ratio:of=METRIC,over=METRIC"]

  /// The keys that every metric has.
  private static let keys = ["direction", "window", "cap"]

  /// Parses a metric.
  ///
  /// - Throws: `SpecificationError` that lists the available metrics.
  public init(parsing text: String) throws(SpecificationError) {
    let specification = try Specification(parsing: text)
    if specification.name == "ratio" {
      try specification.requireKeys(among: ["of", "over"] + Self.keys)
      guard let of = specification["of"], let over = specification["over"] else {
        throw SpecificationError(
          "\"\(text)\" is incomplete; write ratio:of=METRIC,over=METRIC, such as "
            + "ratio:of=revenue,over=conversions")
      }
      self.init(
        try Term(try Specification(parsing: of)), over: try Term(try Specification(parsing: over)))
    } else {
      self.init(try Term(specification, Self.keys))
    }
    try read(specification)
  }

  private mutating func read(_ specification: Specification) throws(SpecificationError) {
    if let text = specification["direction"] { direction = try Direction(parsing: text) }
    if let text = specification["window"] {
      guard let window = DurationText.microseconds(text), window > 0 else {
        throw SpecificationError("window=\(text) must be a duration above 0, such as 7d or 12h")
      }
      self.window = window
    }
    if let text = specification["cap"] {
      guard let cap = WrittenValue.number(text), cap > 0, cap.isFinite else {
        throw SpecificationError("cap=\(text) must be a number above 0, such as 500")
      }
      self.cap = cap
    }
    try check()
  }

  /// Throws an error for a window or cap that the quantity does not have.
  package func check() throws(SpecificationError) {
    let terms = [term, denominator].compactMap(\.self)
    if window != nil, let other = terms.first(where: { !$0.count.takesGoal }) {
      throw SpecificationError(
        "\(other.count.rawValue) has no window of its own; give --window for all metrics")
    }
    if cap != nil, term.count == .converted {
      throw SpecificationError("converted is 0 or 1, and has no cap")
    }
  }
}

extension Metric.Direction {
  /// Parses a direction.
  ///
  /// - Throws: `SpecificationError` that lists the directions.
  public init(parsing text: String) throws(SpecificationError) {
    guard let direction = Self(rawValue: text) else {
      throw SpecificationError(
        NearestName.unknown("direction", text, among: Self.allCases.map(\.rawValue)))
    }
    self = direction
  }
}

extension Metric.Term {
  /// Reads a term that may have further keys.
  fileprivate init(
    _ specification: Specification, _ others: [String] = []
  ) throws(SpecificationError) {
    guard let count = Metric.Count(rawValue: specification.name) else {
      throw SpecificationError(
        NearestName.unknown("metric", specification.name, among: Metric.forms))
    }
    try specification.requireKeys(among: (count.takesGoal ? ["goal"] : []) + others)
    self.init(count, goal: specification["goal"])
  }
}

extension Metric: CustomStringConvertible {
  /// The name of the metric, or its text form.
  public var description: String { label?.name ?? definition }

  /// The text form of the metric, whether it has a name or not.
  public var definition: String {
    let quantity = denominator.map { "ratio:of=\(term),over=\($0)" } ?? term.description
    let settings = [
      direction == .higher ? nil : "direction=\(direction.rawValue)",
      window.map { "window=\(DurationText.text($0))" },
      cap.map { cap in "cap=\(Int(exactly: cap).map(String.init) ?? "\(cap)")" },
    ].compactMap(\.self)
    guard !settings.isEmpty else { return quantity }
    return quantity + (quantity.contains(":") ? "," : ":") + settings.joined(separator: ",")
  }
}

extension Metric.Term: CustomStringConvertible {
  /// The text form of the term.
  public var description: String { count.rawValue + (goal.map { ":goal=\($0)" } ?? "") }
}
