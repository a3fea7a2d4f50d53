public import Specifications
public import Statistics

/// `log:path=FOLDER,experiment=NAME`: logged rewards, resampled with replacement.
///
/// The reward of a variant is drawn uniformly from the rewards of its decisions in the log, so its mean is that of the
/// log. Where the log's variants were not chosen at random, differences between variants are confounded with
/// differences between the units that were shown them.
///
/// With `context=NAME` each step draws a value of that attribute with its frequency among the decisions, and rewards
/// are drawn from the decisions with that value. The context is a one-hot encoding of the value in the order of
/// ``contextValues``. A variant that was never chosen with a value draws from all its rewards there.
///
/// With `features=TERMS`, see ``FeatureSpecification``, each step has the features of a logged decision drawn uniformly
/// at random. Every variant can be chosen, whatever the choices of that decision. The reward of a variant is drawn from
/// those of its decisions with exactly the same features, if there are some. Otherwise it is drawn from a reward model
/// that was fitted to all decisions, `linear` or that of `model=NAME`: the mean is the prediction p. If all logged
/// rewards are 0 or 1, the reward is 1 with probability p, clamped to 0 ... 1; otherwise it is p plus a residual of the
/// variant's logged rewards, less the mean of those residuals. Contexts have all columns of the features: shared by the
/// variants, if no feature depends on the variant, otherwise one vector for each variant.
///
/// The component that reads a log creates the environment from the rewards of each variant, see
/// ``EnvironmentSources/other``.
public struct EmpiricalEnvironment: Environment {
  public static let info = SpecificationInfo(
    "log", "logged rewards, resampled with replacement",
    source: "Efron 1979 (the bootstrap); the means are those of the log",
    example: "log:path=shop.log,experiment=pricing")

  public static var parameters: [Field] {
    Field.listed("path", "the folder of the log")
    Field.listed(
      "experiment",
      "the experiment whose decisions are taken, with the goals credited to the latest one, as in report rewards"
    )
    Field.listed(
      "metric",
      "what makes up the reward of a decision: reward, goals, converted, conversions or revenue, each also of one "
        + "goal, such as (revenue:goal=order); reward by default")
    Field.listed("point", "only decisions at this point; all by default")
    Field.listed("slot", "only decisions for this slot; all by default")
    Field.listed(
      "variants",
      "these in this order, such as blue;green; by default those of any decision, sorted by name")
    Field.listed(
      "context",
      "an attribute of the decisions' context with at most 100 values: rewards are drawn from the decisions of one "
        + "value, which the context tells by a 1 at its place among the sorted values; none by default"
    )
    Field.listed(
      "features",
      "terms such as number(age)+one-hot(country), separated by +: each step has the features of a logged decision, "
        + "and rewards are drawn from the decisions with the same ones; none by default")
    Field.listed(
      "model",
      "with features, the reward model such as (logistic:lambda=1) of variants that were not chosen with them; linear "
        + "by default")
  }

  /// The logged rewards in one context.
  public struct Segment: Sendable, Hashable {
    /// The features of the context.
    public var context: [Double]
    /// The relative frequency of the context.
    public var weight: Double
    /// The rewards of each variant in this context; empty if it was not chosen in it.
    public var rewards: [ObservedRewards]

    /// Creates a segment.
    public init(context: [Double], weight: Double, rewards: [ObservedRewards]) {
      self.context = context
      self.weight = weight
      self.rewards = rewards
    }
  }

  public var specification = Self.info.specification()
  /// The names of the variants.
  public private(set) var variantNames: [String] = []
  /// The values of the context attribute, in the order of the context's features; nil for decisions without the
  /// attribute. Empty without a context, or if contexts are not values of an attribute.
  public private(set) var contextValues: [String?] = []
  /// The columns of the features; nil without features.
  public private(set) var features: FeatureMap?
  /// The number of points and slots whose decisions are pooled; 1 without a log.
  public var placeCount = 1
  private var range: ClosedRange<Double>?
  private var distributions: [RewardDistribution] = []
  private var segments: EmpiricalSegments?
  private var featured: FeaturedRewards?

  /// Creates the environment without the rewards that it needs.
  public init() {}

  /// Always fails, as a log is needed.
  ///
  /// - Throws: `SpecificationError`, always.
  public mutating func validate() throws(SpecificationError) {
    throw SpecificationError("\(specification) needs a log, and none is at hand")
  }

  /// Creates the environment from the rewards of each variant.
  ///
  /// - Parameters:
  ///   - specification: The specification of the environment.
  ///   - variantNames: The names of the variants.
  ///   - rewards: The rewards of each variant, finite numbers, at least one.
  /// - Throws: `SpecificationError` if there are no variants, a name is repeated, or a variant has no rewards.
  public init(
    _ specification: Specification, variantNames: [String], rewards: [ObservedRewards]
  ) throws(SpecificationError) {
    self.specification = specification
    self.variantNames = variantNames
    guard !variantNames.isEmpty, variantNames.count == rewards.count,
      variantNames.distinctNames.count == variantNames.count
    else {
      throw SpecificationError(
        "\(specification) has \(variantNames.count) names of variants and the rewards of \(rewards.count); it needs at "
          + "least one variant, and a name of its own for each")
    }
    var bounds: [Double] = []
    for (name, seen) in zip(variantNames, rewards) {
      guard !seen.isEmpty else {
        throw SpecificationError(
          "variant \"\(name)\" of \(specification) has no rewards to draw from; leave it out")
      }
      guard let range = seen.range, range.lowerBound >= -1e100, range.upperBound <= 1e100 else {
        throw SpecificationError(
          "variant \"\(name)\" of \(specification) has a reward that is no number, or beyond 1e100")
      }
      bounds += [range.lowerBound, range.upperBound]
    }
    distributions = rewards.map { .empirical($0) }
    range = bounds.range
    segments = nil
  }

  /// Creates the environment from the rewards of each variant in each of several contexts.
  ///
  /// Each step has the context of a segment drawn by weight. A variant without rewards in it draws from those of all
  /// segments.
  ///
  /// - Throws: `SpecificationError` under the same conditions as without segments, or if contexts differ in length or
  ///   weights are not finite and positive.
  public init(
    _ specification: Specification, variantNames: [String], segments: [Segment]
  ) throws(SpecificationError) {
    guard let first = segments.first,
      segments.allSatisfy({
        $0.rewards.count == variantNames.count && $0.context.count == first.context.count
      })
    else {
      throw SpecificationError(
        "\(specification) needs segments with the rewards of all variants and contexts of one length"
      )
    }
    guard segments.allSatisfy({ $0.weight > 0 && $0.weight <= 1e100 }),
      segments.allSatisfy({ $0.context.allSatisfy { abs($0) <= 1e100 } })
    else {
      throw SpecificationError(
        "\(specification) needs segments with weights above 0 and contexts of numbers up to 1e100")
    }
    let all = variantNames.indices.map { variant in
      ObservedRewards(joining: segments.map { $0.rewards[variant] })
    }
    let whole = try EmpiricalEnvironment(specification, variantNames: variantNames, rewards: all)
    self.specification = specification
    self.variantNames = variantNames
    distributions = whole.distributions
    range = whole.range
    self.segments = EmpiricalSegments(segments, whole: whole.distributions)
  }

  /// Creates the environment from the rewards of each variant for each value of an attribute.
  ///
  /// - Parameters:
  ///   - specification: The specification of the environment.
  ///   - variantNames: The names of the variants.
  ///   - rewards: For each value the rewards of all variants, at least one of them.
  ///   - contextValues: The distinct values; nil for decisions without the attribute.
  /// - Throws: `SpecificationError` under the same conditions as with segments.
  public init(
    _ specification: Specification, variantNames: [String], rewards: [[ObservedRewards]],
    contextValues: [String?]
  ) throws(SpecificationError) {
    let segments = rewards.enumerated().map { place, rewards in
      Segment(
        context: contextValues.indices.map { $0 == place ? 1 : 0 },
        weight: Double(rewards.reduce(0) { $0 + $1.count }), rewards: rewards)
    }
    try self.init(specification, variantNames: variantNames, segments: segments)
    self.contextValues = contextValues
  }

  /// Creates the environment from the features and rewards of logged decisions.
  ///
  /// - Parameters:
  ///   - specification: The specification of the environment.
  ///   - variantNames: The names of the variants.
  ///   - logged: The features of decisions, and the rewards of each variant, finite numbers, at least one.
  ///   - model: The reward model of variants without rewards for some features.
  /// - Throws: `SpecificationError` under the same conditions as without features, or if the model cannot be fitted.
  public init(
    _ specification: Specification, variantNames: [String], features logged: LoggedFeatures,
    model: any RewardModel
  ) throws(SpecificationError) {
    try self.init(specification, variantNames: variantNames, rewards: logged.rewards())
    features = logged.map
    featured = try FeaturedRewards(logged, model)
  }

  public func problem(horizon: Int) -> Problem {
    var problem = Problem(
      variants: variantNames.count, horizon: horizon,
      sharedFeatures: segments?.contexts.first?.count ?? 0, rewards: featured?.range ?? range)
    featured?.contexts.describe(&problem)
    problem.attributes = attributes
    return problem
  }

  /// The values of the context attribute, or those that follow from the features.
  private var attributes: ContextAttributes? {
    if let features, let featured {
      return FeatureRecovery(features).attributes(of: featured.contexts)
    }
    guard !contextValues.isEmpty, let name = specification["context"] else { return nil }
    return ContextAttributes([.context(name)], count: contextValues.count) {
      [contextValues] _, _, context in
      contextValues[context].map { FeatureValue(reading: $0) }
    }
  }

  /// The reward distributions; nil if they depend on the context.
  public var arms: [RewardDistribution]? {
    segments == nil && featured == nil ? distributions : nil
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    if let featured { return .changing(FeaturedRun(featured, key)) }
    guard let segments else { return .stationary(StationaryRun(distributions, RewardStream(key))) }
    return .changing(EmpiricalRun(segments, key))
  }
}

/// The distributions of all variants in each context.
private struct EmpiricalSegments: Sendable {
  let contexts: [[Double]]
  let arms: [[RewardDistribution]]
  let means: [[Double]]
  let optima: [Double]
  let shares: AliasTable

  init(_ segments: [EmpiricalEnvironment.Segment], whole: [RewardDistribution]) {
    contexts = segments.map(\.context)
    arms = segments.map { segment in
      zip(segment.rewards, whole).map { $0.isEmpty ? $1 : .empirical($0) }
    }
    means = arms.map { $0.map(\.mean) }
    optima = means.map { $0.reduce(-.infinity) { max($0, $1) } }
    shares = AliasTable(weights: segments.map(\.weight))
  }
}

/// A run in which each step has the context of a segment.
private struct EmpiricalRun: ChangingRun {
  private let segments: EmpiricalSegments
  private let choices: RewardStream
  private let rewards: RewardStream
  private var segment = 0
  private var step = 0

  init(_ segments: EmpiricalSegments, _ key: StreamKey) {
    self.segments = segments
    choices = RewardStream(key.adding("segments"))
    rewards = RewardStream(key)
  }

  var variantCount: Int { segments.means[0].count }

  mutating func begin(_ step: Int) {
    self.step = step
    var random = choices.generator(UInt64(truncatingIfNeeded: step))
    segment = segments.shares.draw(using: &random)
  }

  var context: Context { Context(shared: segments.contexts[segment], number: segment) }

  func mean(_ variant: Int) -> Double { segments.means[segment][variant] }

  var optimum: Double { segments.optima[segment] }

  mutating func reward(_ variant: Int) -> Double {
    var random = rewards.generator(UInt64(truncatingIfNeeded: step &* variantCount &+ variant))
    return segments.arms[segment][variant].draw(&random)
  }
}

extension ParameterField where Made == EmpiricalEnvironment {
  /// Declares a parameter that is read by whoever reads the log.
  fileprivate static func listed(_ key: String, _ meaning: String) -> Self {
    Self(SpecificationInfo.Parameter(key, nil, meaning)) { _, _, _ in
    } write: { _ in
      nil
    }
  }
}
