public import Specifications

extension Metric {
  /// The forms of the text of a metric, without goals, and with metrics to replace in capitals.
  package static let forms = Count.allCases.map(\.rawValue) + ["ratio:of=METRIC,over=METRIC"]

  /// The keys that every metric has.
  package static let keys = ["direction", "window", "cap", "covariate"]

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
    for key in Self.keys { if let value = specification[key] { try set(key, to: value) } }
    try check()
  }

  /// Sets one of the ``keys`` by its text.
  ///
  /// - Throws: `SpecificationError` for a value out of range, or another one than is set already.
  package mutating func set(_ key: String, to text: String) throws(SpecificationError) {
    let old = setting(key)
    switch key {
    case "direction": direction = try Direction(parsing: text)
    case "window":
      let length = DurationText.microseconds(text)
      guard text == "none" || length.map({ $0 > 0 }) ?? false else {
        throw SpecificationError("window=\(text) must be a duration above 0, such as 7d or 12h, or none")
      }
      window = Window(length)
    case "covariate":
      guard let length = DurationText.microseconds(text), length > 0 else {
        throw SpecificationError("covariate=\(text) must be a duration above 0, such as 14d")
      }
      covariate = length
    default:
      guard let cap = Capping(parsing: text) else {
        throw SpecificationError(
          "cap=\(text) must be a number above 0, such as 500, or a percentile from p1 to below p100, such as p99")
      }
      self.cap = cap
    }
    if let old, old != setting(key) {
      throw SpecificationError("the value says \(key)=\(old) already; keep one")
    }
  }

  /// The text of one of the ``keys``; nil for its default.
  package func setting(_ key: String) -> String? {
    switch key {
    case "direction": direction == .higher ? nil : direction.rawValue
    case "window": window.map { $0.length.map(DurationText.text) ?? "none" }
    case "covariate": covariate.map(DurationText.text)
    default: cap?.text
    }
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

extension Capping {
  /// Parses a cap, such as `500` or `p99`; nil for one out of range.
  init?(parsing text: String) {
    guard text.hasPrefix("p") else {
      guard let cap = WrittenValue.number(text), cap > 0, cap.isFinite else { return nil }
      self = .absolute(cap)
      return
    }
    guard let part = WrittenValue.number("\(text.dropFirst())%"), part >= 0.01, part < 1 else { return nil }
    self = .percentile(part, ignoringZeros: false)
  }

  /// The text that is parsed.
  fileprivate var text: String {
    switch self {
    case .absolute(let value): Self.text(value)
    // 0.57 times 100 is not 57.
    case .percentile(let part, ignoringZeros: _): "p" + Self.text((part * 1e11).rounded() / 1e9)
    }
  }

  private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

  /// Whether the cap is not known before the values are.
  package var isPercentile: Bool {
    if case .percentile = self { true } else { false }
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

  /// The text form of what is measured, without settings.
  package var quantity: String { denominator.map { "ratio:of=\(term),over=\($0)" } ?? term.description }

  /// The text form of the metric, whether it has a name or not.
  public var definition: String {
    let settings = Self.keys.compactMap { key in setting(key).map { "\(key)=\($0)" } }
    guard !settings.isEmpty else { return quantity }
    return quantity + (quantity.contains(":") ? "," : ":") + settings.joined(separator: ",")
  }
}

extension Metric.Term: CustomStringConvertible {
  /// The text form of the term.
  public var description: String { count.rawValue + (goal.map { ":goal=\($0)" } ?? "") }
}
