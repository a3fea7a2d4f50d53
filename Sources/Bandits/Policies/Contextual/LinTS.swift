public import Specifications
public import Statistics

/// `lints:v=1,lambda=1,models=auto,intercept=no`: linear Thompson sampling: the best variant under weights drawn from
/// their posterior, normal around θ with covariance v²A⁻¹.
///
/// S. Agrawal and N. Goyal, "Thompson sampling for contextual bandits with linear payoffs" (ICML 2013), algorithm 1,
/// which has one joint model, λ = 1, and a v that grows with ln t for the proof of its bound, as is rare in practice; a
/// constant v is the standard deviation of the rewards around their means. With `models=each` each variant has its own
/// posterior; the predictions, which are independent and normal, are then drawn directly, which is equivalent to
/// drawing weights. ``LinearPolicy`` describes the features.
public struct LinTS: Policy {
  /// The standard deviation of a reward.
  public var v = 1.0
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "lints", "the best variant under linear weights drawn from their posterior",
    source: "Agrawal and Goyal 2013, algorithm 1",
    example: "lints:v=1,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.number("v", \.v, in: 0...1e9, "standard deviation of a reward, {range}")
    Field.group(\.options)
  }

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LinTSState {
    try LinTSState(self, problem)
  }
}

/// The state of a run: the posteriors.
public struct LinTSState: PolicyState {
  private let v: Double
  private var models: LinearModels
  private var table: ArmTable
  private var scores: [Double]
  private var draw: [Double]
  private var x: [Double]

  init(_ policy: LinTS, _ problem: Problem) throws(SpecificationError) {
    v = policy.v
    models = try LinearModels(problem, policy.options, of: LinTS.info.name)
    table = ArmTable(problem.variants)
    scores = [Double](repeating: 0, count: problem.variants)
    draw = [Double](repeating: 0, count: models.features.dimension)
    x = draw
  }

  /// Chooses the best variant under weights drawn from the posterior; its propensity, an integral, is not computed.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if models.features.modelCount == 1 {
      drawWeights(&random)
      for variant in scores.indices {
        scores[variant] = models.score(variant, context, draw, &x)
      }
    } else {
      models.look(context, spreads: true)
      for variant in scores.indices {
        let deviation = v * models.spreads[variant].squareRoot()
        scores[variant] = models.means[variant] + deviation * Draw.normal(using: &random)
      }
    }
    var choice = table.roster.largest(&random) { scores[$0] }
    choice.propensity = .nan
    return choice
  }

  /// Draws the weights θ + v·U⁻¹z with z standard normal.
  private mutating func drawWeights(_ random: inout Xoshiro256) {
    for feature in draw.indices { draw[feature] = Draw.normal(using: &random) }
    models.ridges.solve(&draw)
    for feature in draw.indices {
      draw[feature] = models.ridges.weights[feature] + v * draw[feature]
    }
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    models.learn(choice.variant, reward, context)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
