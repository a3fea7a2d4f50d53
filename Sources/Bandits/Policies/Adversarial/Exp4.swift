public import Specifications
public import Statistics

/// `exp4:gamma=0.05` or `exp4:gamma=0.05,experts=(ucb1);(thompson)`: exponential weights over experts that each advise
/// a choice.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J.
/// Comput. 32, 2002), section 7: p = (1 − γ) Σ w ξ/Σw + γ/K with the advice ξ of each expert, whose weight grows by
/// exp(γ ξ r/(p K)). One expert is the uniform one that the authors require; the others are one constant expert per
/// variant, or the given policies. The advice of a policy is the single variant that it chose.
///
/// A policy learns from decisions for the variant that it advised, with the joint probability that it advised the
/// variant and that the variant was chosen as the propensity, so its estimates are as good as if it ran alone. The
/// propensity of a choice is the one given all the advice, from which the variant is drawn; with γ > 0 it is positive
/// for every variant. With policies, rewards delayed by more than 65,536 decisions are ignored.
public struct Exp4: Policy {
  /// The uniform exploration rate and learning rate.
  public var gamma = 0.05
  /// The experts; none for one constant expert per variant.
  public var experts: [PreparedPolicy] = []
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "exp4", "exponential weights over experts: one per variant, or the given policies",
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 7",
    example: "exp4:gamma=0.05,experts=(ucb1);(thompson)")

  public static var parameters: [Field] {
    Field.number("gamma", \.gamma, in: 0...1, "uniform exploration rate and learning rate, {range}")
    Field.policies("experts", \.experts, "policies in parentheses, separated by semicolons")
  }

  /// The gains of experts lie in 0 ... 1.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) throws(SpecificationError) -> Exp4State {
    Exp4State(problem.variants, gamma: gamma, try experts.states(problem))
  }
}

extension [PreparedPolicy] {
  /// Returns the state of each policy before the first decision.
  func states(_ problem: Problem) throws(SpecificationError) -> [any PolicyState] {
    var states: [any PolicyState] = []
    for policy in self { states.append(try policy.makeState(problem)) }
    return states
  }
}

/// The state of a run: the weights.
public struct Exp4State: AllocatingState {
  private let gamma: Double
  private let variants: Double
  private var experts: [any PolicyState]
  /// The advice of each expert, without the uniform one.
  private var advice: [Choice]
  /// The weights of the experts; that of the uniform one is last.
  private var weights: ExponentialWeights
  private var probabilities: [Double]
  private var ring: PendingChoices<Double>

  init(_ variants: Int, gamma: Double, _ experts: [any PolicyState]) {
    self.gamma = gamma
    self.variants = Double(variants)
    self.experts = experts
    let count = experts.isEmpty ? variants : experts.count
    advice = (0..<count).map { Choice($0) }
    weights = ExponentialWeights(count + 1)
    probabilities = [Double](repeating: 0, count: variants)
    ring = PendingChoices(width: count, note: 0)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    for index in experts.indices { advice[index] = experts[index].choose(context, &random) }
    weigh()
    let variant = probabilities.place(of: Draw.unit(using: &random))
    let propensity = probabilities[variant]
    let memo = experts.isEmpty ? 0 : ring.add(propensity, advice)
    return Choice(variant, propensity: propensity, memo: memo)
  }

  /// Experts that are policies draw for themselves.
  public var canAllocate: Bool { experts.isEmpty }

  public var allocation: Allocation {
    var weighed = self
    weighed.weigh()
    return Allocation(probabilities: weighed.probabilities)
  }

  /// Computes the probabilities, given the advice.
  private mutating func weigh() {
    let all = ((1 - gamma) * weights.share(advice.count) + gamma) / variants
    for variant in probabilities.indices { probabilities[variant] = all }
    for index in advice.indices {
      probabilities[advice[index].variant] += (1 - gamma) * weights.share(index)
    }
  }

  /// Updates the weights of the experts that advised the variant, and passes them the reward.
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
