public import Specifications
public import Statistics

/// `lucb:delta=0.05,epsilon=0`: fixed-confidence best-arm identification with error probability δ, sampling the leader
/// and its strongest challenger.
///
/// S. Kalyanakrishnan, A. Tewari, P. Auer and P. Stone, "PAC subset selection in stochastic multi-armed bandits" (ICML
/// 2012), algorithm LUCB1 for m = 1: after an initial round over all variants, each round chooses the variant h with
/// the best mean, then among the others the one, l, with the largest upper bound, where the bounds of a variant with u
/// rewards in round t are m ± √(ln(5Kt⁴/(4δ)) / (2u)). It stops when the upper bound of l is less than ε above the
/// lower bound of h.
public struct LUCB: Policy {
  /// The probability of a wrong recommendation.
  public var delta = 0.05
  /// The acceptable gap to the best variant.
  public var epsilon = 0.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "lucb", "fixed-confidence best-arm identification: the leader and its strongest challenger",
    source: "Kalyanakrishnan, Tewari, Auer and Stone 2012, LUCB1",
    example: "lucb:delta=0.05,epsilon=0")

  public static var parameters: [Field] {
    Field.errorProbability(\.delta)
    Field.number("epsilon", \.epsilon, in: 0...1, "acceptable gap to the best variant, {range}")
  }

  /// The bounds hold for rewards in 0 ... 1.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> LUCBState { LUCBState(self, problem.variants) }
}

/// The state of `lucb`.
public struct LUCBState: TurnState {
  private let policy: LUCB
  var table: ArmTable
  private var means: [Double]
  /// 1/√(2u); infinite before the first reward.
  private var roots: [Double]
  /// The upper bounds as of the first choice of the round, NaN for that choice.
  private var bounds: [Double]
  /// Whether the second choice of the round is next.
  private var isSecond = false
  /// That choice, which is drawn with the first one.
  private var rival: Choice?
  private(set) var found: Int?

  init(_ policy: LUCB, _ variants: Int) {
    self.policy = policy
    table = ArmTable(variants)
    means = [Double](repeating: 0, count: variants)
    roots = [Double](repeating: .infinity, count: variants)
    bounds = means
    found = variants == 1 ? 0 : nil
  }

  /// Makes the two choices of a round, one after the other.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if found == nil, isSecond, let rival {
      isSecond = false
      return rival
    }
    let first = decide(&random)
    if found == nil, isSecond { rival = table.roster.largest(&random) { bounds[$0] } }
    return first
  }

  func index(_ variant: Int) -> Double { isSecond ? bounds[variant] : means[variant] }

  mutating func take(_ variant: Int, isFirst: Bool) {
    if isFirst { return }
    isSecond.toggle()
    guard isSecond else { return }
    let width = width
    for other in means.indices {
      bounds[other] = other == variant ? .nan : means[other] + width * roots[other]
    }
  }

  /// Updates the bounds of one variant; after both rewards of a round checks the stopping rule.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    let arm = table.arms[choice.variant]
    means[choice.variant] = arm.mean
    roots[choice.variant] = 1 / (2 * Double(arm.decisions)).squareRoot()
    let beyond = table.learned - means.count
    if found == nil, beyond >= 0, beyond % 2 == 0 { conclude() }
  }

  /// The identified variant; before that the best mean.
  public var recommendation: Int? { found ?? table.leader }

  /// √ln(5Kt⁴/(4δ)) in round t, which is 1 when each variant has one reward.
  private var width: Double {
    let k = Double(means.count)
    let round = Double(1 + max(0, table.learned - means.count) / 2)
    return (Double.log(1.25 * k / policy.delta) + 4 * Double.log(round)).squareRoot()
  }

  private mutating func conclude() {
    let (best, width) = (table.leader, width)
    let lower = means[best] - width * roots[best]
    var upper = -Double.infinity
    for variant in means.indices where variant != best {
      upper = max(upper, means[variant] + width * roots[variant])
    }
    if upper - lower < policy.epsilon { found = best }
  }
}
