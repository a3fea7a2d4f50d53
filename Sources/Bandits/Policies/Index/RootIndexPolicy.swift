internal import RealModule
public import Statistics

/// A policy whose index is the mean and a width that all variants share, divided by √n.
///
/// The mean and √n change for one variant at a step; all that is done for the others is a multiplication and a sum.
public protocol RootIndexPolicy: Policy, AllocationPolicy where State == RootIndexState<Self> {
  /// What is divided by √n, from ln t ≥ 0.
  func width(_ log: Double) -> Double
}

extension RootIndexPolicy {
  /// The largest index among those that are there.
  public static var takesAbsence: Bool { true }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> State { RootIndexState(self, problem) }

  /// The index of a variant with n decisions and a mean, when there were t decisions of all.
  func index(_ mean: Double, width: Double, inverseRoot: Double) -> Double {
    mean + width * inverseRoot
  }

  /// Equal parts for the variants never chosen, then for those with the largest index.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    if let first = arms.unpulledFirst { return first }
    let width = width(Double.log(arms.totalDecisions))
    return .shared(
      amongLargest: arms.map {
        index($0.mean, width: width, inverseRoot: 1 / Double($0.decisions).squareRoot())
      })
  }
}

/// What a ``RootIndexPolicy`` has learned.
public struct RootIndexState<P: RootIndexPolicy>: PolicyState {
  private let policy: P
  private var table: ArmTable
  private var means: [Double]
  /// 1/√n; infinite before the first reward.
  private var inverseRoots: [Double]

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    means = [Double](repeating: 0, count: problem.variants)
    inverseRoots = [Double](repeating: .infinity, count: problem.variants)
  }

  /// The variant with the largest index.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    // With a single reward the width is 0, and 0 · ∞ would be no number.
    let width = max(
      policy.width(Double.log(Double(max(1, table.learned)))), Double.leastNormalMagnitude)
    return table.largest(&random) {
      policy.index(means[$0], width: width, inverseRoot: inverseRoots[$0])
    }
  }

  /// Adds the reward to the tally of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    means[variant] = table.arms[variant].mean
    inverseRoots[variant] = 1 / Double(table.arms[variant].decisions).squareRoot()
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
