/// The name, summary, parameters and citation of a policy, environment or predictor, which is described by a
/// ``Specification``.
public struct SpecificationInfo: Hashable, Sendable {
  /// A parameter as shown in listings and help.
  public struct Parameter: Hashable, ListedParameter {
    /// The name of the parameter.
    public let key: String
    /// The default value as text; nil if the parameter is required, or if omitting it means something that no value
    /// says.
    public internal(set) var standard: String?
    /// The meaning and the valid values.
    public let meaning: String
    /// The range of a number; nil for other parameters.
    public let range: ClosedRange<Double>?
    /// The range as text, such as `0 to 1`; nil for parameters that are no numbers.
    package let rangeText: String?

    /// Creates a parameter.
    public init(_ key: String, _ standard: String?, _ meaning: String) {
      self.key = key
      self.standard = standard
      self.meaning = meaning
      (range, rangeText) = (nil, nil)
    }

    /// Creates a numeric parameter. In the meaning, `{range}` stands for the range.
    init(_ key: String, _ standard: String?, _ meaning: String, _ range: ClosedRange<Double>) {
      self.init(key, standard, meaning, range, range.lowerBound.inRange, range.upperBound.inRange)
    }

    /// Creates an integer parameter. In the meaning, `{range}` stands for the range.
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
      self.meaning = meaning.replacing("{range}", with: "\(low) to \(high)")
      (self.range, rangeText) = (range, "\(low) to \(high)")
    }

    public var listing: SpecificationInfo.Parameter { self }
  }

  /// The name.
  public let name: String
  /// A one-line summary.
  public let summary: String
  /// The parameters.
  public let parameters: [Parameter]
  /// The citation: the paper or book, and the place in it.
  public let source: String
  /// A specification that works as it stands.
  public let example: String
  /// The family in listings, such as `adversarial`; empty for none.
  public internal(set) var family = ""

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - summary: A one-line summary.
  ///   - parameters: The parameters; those of a type are in ``ParameterGroup/parameters`` instead.
  ///   - source: The citation.
  ///   - example: A specification that works as it stands; nil for the name alone.
  public init(
    _ name: String, _ summary: String, _ parameters: [any ListedParameter] = [], source: String,
    example: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters.map(\.listing)
    self.source = source
    self.example = example ?? name
  }

  /// Returns the description with other parameters.
  func listing(_ parameters: [Parameter]) -> SpecificationInfo {
    SpecificationInfo(name, summary, parameters, source: source, example: example)
  }

  /// Returns the description as that of a member of a family.
  package func inFamily(_ family: String) -> SpecificationInfo {
    var info = self
    info.family = family
    return info
  }

  /// Returns the specification with this name and the parameters that are not nil.
  public func specification(_ parameters: Specification.Parameter?...) -> Specification {
    Specification(name, parameters.compactMap { $0 })
  }
}

/// A declared parameter of a ``SpecificationInfo``.
public protocol ListedParameter: Sendable {
  /// The name, default and meaning.
  var listing: SpecificationInfo.Parameter { get }
}

extension Double {
  /// The number as a bound of a range, with powers of ten from 1e3 on, and up to 1e-4, in exponent notation.
  fileprivate var inRange: String {
    guard magnitude > 0, magnitude.isFinite else {
      return Specification.Parameter(key: "", number: self).value
    }
    let estimate = Int((Double(magnitude.exponent) * 0.30103).rounded())
    for exponent in estimate - 1...estimate + 1 where exponent >= 3 || exponent <= -4 {
      if magnitude == Double("1e\(exponent)") { return (self < 0 ? "-" : "") + "1e\(exponent)" }
    }
    return Specification.Parameter(key: "", number: self).value
  }
}
