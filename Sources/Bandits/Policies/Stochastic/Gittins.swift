public import Specifications
public import Statistics

/// `gittins:discount=0.95,alpha=1,beta=1`: the largest Gittins index, for Bernoulli rewards: the policy with the
/// largest expected discounted reward.
///
/// J. C. Gittins, "Bandit processes and dynamic allocation indices" (JRSS B 41, 1979), with Beta priors as in J.
/// Gittins, K. Glazebrook and R. Weber, *Multi-armed Bandit Allocation Indices* (2nd edition, 2011), chapter 8. As
/// states are counts, a reward between 0 and 1 is a success with that probability (S. Agrawal and N. Goyal, COLT 2012).
///
/// An index lies between the posterior mean and its value before the last failure; if these bounds determine the
/// largest index, none is computed.
public struct Gittins: Policy {
  /// The discount factor per step.
  public var discount = 0.95
  /// The prior.
  public var prior = BetaPrior()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "gittins", "the largest Gittins index of a Beta posterior, for rewards in 0 to 1",
    source: "Gittins 1979; Gittins, Glazebrook and Weber 2011, chapter 8",
    example: "gittins:discount=0.95,alpha=1,beta=1")

  public static var parameters: [Field] {
    Field.number("discount", \.discount, in: 0...0.995, "discount factor per step, {range}")
    Field.group(\.prior)
  }

  /// A reward in 0 ... 1 is the probability of a success.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> GittinsState {
    GittinsState(self, problem)
  }
}

/// The state of a run: the posteriors, and the indices computed so far.
public struct GittinsState: IndexedState {
  /// The numbers of successes and failures.
  private struct Counts: Hashable {
    var successes = 0
    var failures = 0
  }

  private let prior: BetaPrior
  private var solver: GittinsIndex
  var table: ArmTable
  private var counts: [Counts]
  /// The lower bound of the index of each variant; equal to the upper one if the index is known.
  private var lows: [Double]
  private var highs: [Double]
  private var isKnown: [Bool]
  private var indices: [Counts: Double] = [:]

  /// The error bound of a computed index.
  private static var accuracy: Double { 1e-5 }

  init(_ policy: Gittins, _ problem: Problem) {
    prior = policy.prior
    solver = GittinsIndex(discount: policy.discount)
    let variants = problem.variants
    table = ArmTable(variants)
    // A variant never chosen has an index too.
    for variant in table.indices { table.roster.settle(variant) }
    counts = [Counts](repeating: Counts(), count: variants)
    lows = [Double](repeating: prior.alpha / (prior.alpha + prior.beta), count: variants)
    highs = [Double](repeating: 1, count: variants)
    isKnown = [Bool](repeating: false, count: variants)
  }

  /// Chooses the variant with the largest index, breaking ties at random. The memo is a random word for a reward
  /// between 0 and 1.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var choice = decide(&random)
    choice.memo = Int(truncatingIfNeeded: random.next())
    return choice
  }

  func index(_ variant: Int) -> Double { highs[variant] }

  /// Caches the indices that were computed for the decision.
  public mutating func note(_ variant: Int) { prepare() }

  /// Rewards other than 0 and 1 count as a success at random.
  public var learningIsRandomized: Bool { true }

  /// Rejects rewards other than 0 and 1, whose random success is not in a log.
  public func refusal(of reward: Double) -> String? {
    reward == 0 || reward == 1
      ? nil
      : "a decision earned \(reward), and gittins draws at random for rewards other than 0 and 1; reward successes "
        + "with 1, or use thompson"
  }

  /// Counts a success or a failure.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    let word = UInt64(truncatingIfNeeded: choice.memo)
    if Double(word &>> 11) * 0x1p-53 < reward {
      counts[variant].successes += 1
      highs[variant] = 1
    } else {
      // An index decreases with a failure, up to the error of its computation.
      counts[variant].failures += 1
      highs[variant] = min(1, highs[variant] + Self.accuracy)
    }
    isKnown[variant] = false
    let (a, b) = parameters(variant)
    lows[variant] = a / (a + b)
  }

  /// Finds the largest index, computing those not determined by their bounds, the most promising first. Afterwards it,
  /// and any tied with it, are the largest of the upper bounds.
  mutating func prepare() {
    while true {
      var (top, next) = (0, -Double.infinity)
      for variant in highs.indices.dropFirst() {
        if highs[variant] > highs[top] {
          (top, next) = (variant, highs[top])
        } else {
          next = max(next, highs[variant])
        }
      }
      if !isKnown[top], lows[top] > next + Self.accuracy { return }
      guard let open = highs.indices.first(where: { !isKnown[$0] && highs[$0] >= highs[top] })
      else { return }
      settle(open)
    }
  }

  private mutating func settle(_ variant: Int) {
    let index: Double
    if let known = indices[counts[variant]] {
      index = known
    } else {
      let (a, b) = parameters(variant)
      index = solver.index(a, b)
      indices[counts[variant]] = index
    }
    (lows[variant], highs[variant]) = (index, index)
    isKnown[variant] = true
  }

  private func parameters(_ variant: Int) -> (a: Double, b: Double) {
    (
      prior.alpha + Double(counts[variant].successes),
      prior.beta + Double(counts[variant].failures)
    )
  }
}
