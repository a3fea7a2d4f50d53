public import Specifications

/// `beta:a=1;2,b=2;1` or `beta:means=0.2;0.4,concentration=10`: Beta-distributed rewards.
public struct BetaEnvironment: StationaryEnvironment {
  /// The first parameter of each variant; nil where ``means`` are given.
  public var a: [Double]?
  /// The second parameter of all variants, or of each; nil where ``means`` are given.
  public var b: [Double]?
  /// The mean of each variant, instead of ``a`` and ``b``.
  public var means: [Double]?
  /// The sum of both parameters where ``means`` are given, of all variants, or of each.
  public var concentration = [1.0]
  public var specification = Self.info.specification()

  /// Creates the environment without the parameters of the distributions that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "beta", "Beta rewards between 0 and 1",
    source: "Johnson, Kotz and Balakrishnan 1995, chapter 25",
    example: "beta:means=0.2;0.4,concentration=10")

  public static var parameters: [Field] {
    Field.numbers("a", \.a, in: 0.001...1e6, "the first parameter of each variant, {range}")
    Field.numbers(
      "b", \.b, in: 0.001...1e6, "the second one, for all variants or for each, {range}")
    Field.numbers(
      "means", \.means, in: 0.001...0.999, "the mean of each variant, {range}; instead of a and b")
    Field.numbers(
      "concentration", \.concentration, in: 0.01...1e6,
      "a + b where means are given, for all variants or for each, {range}")
  }

  public mutating func validate() throws(SpecificationError) {
    if let means {
      try specification.refuse(["a", "b"], beside: "means")
      try specification.check(concentration, of: "concentration", variants: means.count)
    } else {
      guard let a, let b else {
        throw SpecificationError(
          "beta needs a and b, or means; write beta:a=1;2,b=2;1 or beta:means=0.2;0.4,concentration=10"
        )
      }
      try specification.refuse(["concentration"], beside: "a and b")
      try specification.check(b, of: "b", variants: a.count)
    }
  }

  public var distributions: [RewardDistribution] {
    if let means {
      return zip(means, concentration.each(of: means.count)).map {
        .beta(a: $0 * $1, b: (1 - $0) * $1)
      }
    }
    let a = a ?? []
    return zip(a, (b ?? []).each(of: a.count)).map { .beta(a: $0, b: $1) }
  }

  public var rewards: ClosedRange<Double>? { 0...1 }
}
