public import Specifications
public import Statistics

/// `top-two:beta=0.5,prior-alpha=1,prior-beta=1`: top-two Thompson sampling, for best-arm identification rather than
/// rewards. The variant with the largest draw from its Beta posterior is chosen with probability `beta`; otherwise all
/// are redrawn until another one is the largest, and that one is chosen.
///
/// D. Russo, "Simple Bayesian algorithms for best arm identification" (COLT 2016), algorithm 3, for rewards in 0 ... 1.
/// If 100 redraws yield no other variant, it chooses the one closest to the first: the smallest difference of posterior
/// means in standard deviations of that difference. It recommends the best posterior mean.
public struct TopTwoThompson: AllocationPolicy {
  /// The probability of choosing the first of the two.
  public var beta = 0.5
  /// The number of prior successes.
  public var priorAlpha = 1.0
  /// The number of prior failures.
  public var priorBeta = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "top-two", "top-two Thompson sampling, for best-arm identification",
    source: "Russo 2016, algorithm 3", example: "top-two:beta=0.5")

  public static var parameters: [Field] {
    Field.number("beta", \.beta, in: 0...1, "probability of choosing the first of the two, {range}")
    Field.number("prior-alpha", \.priorAlpha, in: 0.001...1e9, "prior successes, {range}")
    Field.number("prior-beta", \.priorBeta, in: 0.001...1e9, "prior failures, {range}")
  }

  /// A reward is a success, or a fraction of one.
  public static let needsUnitRewards = true

  private var prior: BetaShape { BetaShape(priorAlpha, priorBeta) }

  public func makeState(_ problem: Problem) -> TopTwoThompsonState {
    TopTwoThompsonState([BetaShape](repeating: prior, count: problem.variants), beta: beta)
  }

  /// Returns the probabilities, computed by quadrature.
  ///
  /// With the probability α of each variant to have the largest draw, the second of the two is i after a first j with
  /// probability α(i)·(1 + α(j) + α(j)² + …), with as many terms as redraws; the rest goes to the closest ones.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.unitFlaw { return .equal(arms.count, refusal: flaw) }
    let posteriors = arms.map {
      BetaShape(prior.a + $0.sum, prior.b + (Double($0.decisions) - $0.sum))
    }
    let first = Allocation.best(
      posteriors.map { LogitBeta.Source(a: $0.a, b: $0.b) }, as: LogitBeta.self)
    guard arms.count > 1, beta < 1 else { return first }
    let second = second(posteriors, first.probabilities)
    let draws = Double(TopTwoThompsonState.mostDraws)
    return Allocation(
      probabilities: zip(first.probabilities, second).map { beta * $0 + (1 - beta) * $1 },
      error: min(1, first.error * (beta + (1 - beta) * draws)))
  }

  /// Returns the probabilities of the second of the two, from those of the first.
  private func second(_ posteriors: [BetaShape], _ first: [Double]) -> [Double] {
    // In a canonical order, so that sums do not depend on the one given.
    let order = posteriors.indices.sorted {
      (posteriors[$0].a, posteriors[$0].b) < (posteriors[$1].a, posteriors[$1].b)
    }
    // For each first variant, the sum of its powers and the remainder.
    var (sums, rests) = (first, first)
    for leader in order {
      var (power, sum) = (first[leader], 0.0)
      for _ in 0..<TopTwoThompsonState.mostDraws {
        sum += power
        power *= min(1, first[leader])
      }
      (sums[leader], rests[leader]) = (sum, power)
    }
    let total = order.reduce(0) { $0 + sums[$1] }
    var second = first.indices.map { first[$0] * max(0, total - sums[$0]) }
    for leader in order where rests[leader] > 0 {
      let distances = posteriors.indices.map {
        $0 == leader
          ? .nan : -TopTwoThompsonState.distance(posteriors[leader], posteriors[$0])
      }
      let closest = Allocation.shared(amongLargest: distances).probabilities
      for variant in second.indices { second[variant] += rests[leader] * closest[variant] }
    }
    return second
  }
}

/// The state of a run: the posteriors.
public struct TopTwoThompsonState: PolicyState {
  fileprivate static var mostDraws: Int { 100 }
  private let beta: Double
  private var posteriors: [BetaShape]

  init(_ posteriors: [BetaShape], beta: Double) {
    self.beta = beta
    self.posteriors = posteriors
  }

  /// Chooses one of the two; its propensity is unknown.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let first = largestDraw(&random)
    if posteriors.count == 1 { return Choice(first) }
    if Draw.unit(using: &random) < beta { return Choice(first, propensity: .nan) }
    for _ in 0..<Self.mostDraws {
      let second = largestDraw(&random)
      if second != first { return Choice(second, propensity: .nan) }
    }
    return Choice(closest(to: first), propensity: .nan)
  }

  /// Counts the reward as a fraction of a success, and 1 − reward as a fraction of a failure.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let posterior = posteriors[choice.variant]
    posteriors[choice.variant] = BetaShape(posterior.a + reward, posterior.b + (1 - reward))
  }

  /// The best posterior mean.
  public var recommendation: Int? {
    posteriors.indices.reduce(0) { Self.mean(posteriors[$1]) > Self.mean(posteriors[$0]) ? $1 : $0 }
  }

  private func largestDraw(_ random: inout Xoshiro256) -> Int {
    posteriors.indices.largest { posteriors[$0].draw(using: &random) }
  }

  private func closest(to first: Int) -> Int {
    let leader = posteriors[first]
    var (winner, least) = (first == 0 ? 1 : 0, Double.infinity)
    for variant in posteriors.indices where variant != first {
      let distance = Self.distance(leader, posteriors[variant])
      if distance < least { (winner, least) = (variant, distance) }
    }
    return winner
  }

  /// Returns the difference of the means in standard deviations of that difference.
  fileprivate static func distance(_ leader: BetaShape, _ other: BetaShape) -> Double {
    (mean(leader) - mean(other)) / (variance(leader) + variance(other)).squareRoot()
  }

  private static func mean(_ posterior: BetaShape) -> Double {
    posterior.a / (posterior.a + posterior.b)
  }

  private static func variance(_ posterior: BetaShape) -> Double {
    mean(posterior) * (1 - mean(posterior)) / (posterior.a + posterior.b + 1)
  }
}
