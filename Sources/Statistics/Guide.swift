/// The name, summary, parameters and citation of a policy, environment or predictor, which is written as a
/// ``Specification``.
public struct Guide: Hashable, Sendable {
  /// How a parameter is shown in listings and help.
  public struct Parameter: Hashable, ListedParameter {
    /// Its name.
    public let key: String
    /// Its value when it is not given, as written; nil where it must be given, or where leaving it out means
    /// something else.
    public let standard: String?
    /// What it does, and what it may be.
    public let meaning: String
    /// The smallest and the largest value; nil where it is no number.
    public let range: ClosedRange<Double>?

    /// Describes a parameter.
    public init(_ key: String, _ standard: String?, _ meaning: String) {
      self.key = key
      self.standard = standard
      self.meaning = meaning
      range = nil
    }

    /// Describes a number. In the meaning, `{range}` stands for the range.
    init(_ key: String, _ standard: String?, _ meaning: String, _ range: ClosedRange<Double>) {
      self.init(key, standard, meaning, range, range.lowerBound.inRange, range.upperBound.inRange)
    }

    /// Describes a whole number. In the meaning, `{range}` stands for the range.
    init(_ key: String, _ standard: String?, _ meaning: String, _ range: ClosedRange<Int>) {
      self.init(
        key, standard, meaning, Double(range.lowerBound)...Double(range.upperBound),
        String(range.lowerBound), String(range.upperBound))
    }

    private init(
      _ key: String, _ standard: String?, _ meaning: String, _ range: ClosedRange<Double>,
      _ low: String, _ high: String
    ) {
      self.key = key
      self.standard = standard
      let parts = meaning.split(separator: "{range}", omittingEmptySubsequences: false)
      self.meaning = parts.joined(separator: "\(low) to \(high)")
      self.range = range
    }

    /// The parameter itself.
    public var listing: Guide.Parameter { self }
  }

  /// How it is called.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What it can be given.
  public let parameters: [Parameter]
  /// Where it is defined: the paper or book, and the place in it.
  public let source: String

  /// Describes something.
  public init(
    _ name: String, _ summary: String, _ parameters: [any ListedParameter] = [], source: String
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters.map(\.listing)
    self.source = source
  }

  /// Returns the specification with this name and the parameters that are not nil.
  public func specification(_ parameters: Specification.Parameter?...) -> Specification {
    Specification(name, parameters.compactMap { $0 })
  }
}

/// A parameter of a ``Guide``.
public protocol ListedParameter: Sendable {
  /// The name, default and meaning.
  var listing: Guide.Parameter { get }
}

extension Double {
  /// The number as a bound of a range: powers of ten from 1e3 on, and up to 1e-4, with an exponent.
  fileprivate var inRange: String {
    guard magnitude > 0, magnitude.isFinite else {
      return Specification.Parameter(key: "", number: self).value
    }
    let exponent = Int((Double.log(magnitude) / Double.log(10)).rounded())
    if exponent >= 3 || exponent <= -4, magnitude == Double("1e\(exponent)") {
      return (self < 0 ? "-" : "") + "1e\(exponent)"
    }
    return Specification.Parameter(key: "", number: self).value
  }
}
