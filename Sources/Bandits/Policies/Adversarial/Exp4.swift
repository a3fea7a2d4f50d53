public import Statistics

/// `exp4:gamma=0.05` or `exp4:gamma=0.05,experts=(ucb1);(thompson)`: exponential weights over experts, of which each
/// says what it would choose.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J. Comput.
/// 32, 2002), section 7: p = (1 − γ) Σ w ξ/Σw + γ/K with the advice ξ of each expert, whose weight grows by
/// exp(γ ξ r/(p K)). One expert always advises all variants alike, as the authors ask for; the others are one for each
/// variant, which always advises that, or the policies given. The advice of a policy is the one variant that it chose.
///
/// A policy learns from decisions for the variant that it had advised, and is told the probability of both, that it
/// advised the variant and that the variant was chosen; so its estimates are as good as if it were alone. The propensity
/// of a choice is the one given all the advice, from which the variant is drawn; with γ > 0 no variant has none. Rewards
/// that are more than 65,536 decisions late are not learned when there are policies.
public struct Exp4: WrappingPolicy {
  private static let gamma = Parameter.number(
    "gamma", default: 0.05, in: 0...1, "part of the equal shares, and rate of learning, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "exp4", "exponential weights over experts: one for each variant, or the policies given",
    [
      gamma,
      Guide.Parameter("experts", nil, "policies in parentheses, with semicolons between them"),
    ],
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 7")

  /// The gains of experts are parts of 1.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let gamma: Double
  private let experts: [PreparedPolicy]

  /// Makes the policy from its experts; without any, each variant has one.
  ///
  /// - Throws: `SpecificationError`: gamma is out of its range.
  public init(gamma: Double? = nil, experts: [any Policy] = []) throws(SpecificationError) {
    specification = Self.guide.specification(
      Self.gamma.written(gamma),
      experts.isEmpty ? nil : .init(key: "experts", nesting: experts))
    self.gamma = try Self.gamma.value(in: specification)
    self.experts = experts.map { PreparedPolicy($0) }
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: gamma is out of its range, or an expert is no policy.
  public init(
    _ specification: Specification, variants: [String], policies catalog: PolicyCatalog
  ) throws(SpecificationError) {
    self.specification = specification
    gamma = try Self.gamma.value(in: specification)
    experts = try specification.policies("experts", variants: variants, from: catalog) ?? []
  }

  /// Equal weights.
  ///
  /// - Throws: `SpecificationError`: an expert is not for such a problem.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> Exp4State {
    Exp4State(problem.variants, gamma: gamma, try experts.states(problem))
  }
}

extension [PreparedPolicy] {
  /// What each of them knows before the first decision.
  func states(_ problem: Problem) throws(SpecificationError) -> [any PolicyState] {
    var states: [any PolicyState] = []
    for policy in self { states.append(try policy.makeState(problem)) }
    return states
  }
}

/// The weights of a run.
public struct Exp4State: AllocatingState {
  private let gamma: Double
  private let variants: Double
  private var experts: [any PolicyState]
  /// What each expert advises; the one that advises all is not among them.
  private var advice: [Choice]
  /// The experts' weights, and last that of the one that advises all.
  private var weights: ExponentialWeights
  private var probabilities: [Double]
  private var ring: ChoiceRing<Double>

  init(_ variants: Int, gamma: Double, _ experts: [any PolicyState]) {
    self.gamma = gamma
    self.variants = Double(variants)
    self.experts = experts
    let count = experts.isEmpty ? variants : experts.count
    advice = (0..<count).map { Choice($0) }
    weights = ExponentialWeights(count + 1)
    probabilities = [Double](repeating: 0, count: variants)
    ring = ChoiceRing(width: count, note: 0)
  }

  /// A variant by its probability, given the advice.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    for index in experts.indices { advice[index] = experts[index].choose(context, &random) }
    let all = ((1 - gamma) * weights.share(advice.count) + gamma) / variants
    for variant in probabilities.indices { probabilities[variant] = all }
    for index in advice.indices {
      probabilities[advice[index].variant] += (1 - gamma) * weights.share(index)
    }
    let variant = probabilities.place(of: Draw.unit(using: &random))
    let propensity = probabilities[variant]
    let memo = experts.isEmpty ? 0 : ring.add(propensity, advice)
    return Choice(variant, propensity: propensity, memo: memo)
  }

  /// Experts that are policies draw for themselves.
  public var canAllocate: Bool { experts.isEmpty }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    let all = ((1 - gamma) * weights.share(advice.count) + gamma) / variants
    return Allocation(
      probabilities: probabilities.indices.map { all + (1 - gamma) * weights.share($0) })
  }

  /// The weights of those that advised the variant grow, and they learn.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let step = gamma / variants * choice.weighted(reward.inUnitRange)
    if experts.isEmpty {
      weights.add(step, to: choice.variant)
    } else {
      guard let propensity = ring.take(choice.memo) else { return }
      for index in experts.indices {
        var advised = ring.choice(choice.memo, index)
        guard advised.variant == choice.variant else { continue }
        weights.add(step, to: index)
        advised.propensity *= propensity
        experts[index].learn(advised, reward, context)
      }
    }
    weights.add(step / variants, to: advice.count)
  }
}
