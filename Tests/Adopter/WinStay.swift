import Bandits
import Specifications
import Statistics

/// `win-stay`: the variant that was rewarded last again, otherwise any other one.
///
/// What it does depends on the order of decisions, which counts do not tell.
struct WinStay: Policy {
  static let info = SpecificationInfo(
    "win-stay", "the last variant as long as it is rewarded, else another one",
    source: "Robbins 1952")

  var specification = Self.info.specification()

  func makeState(_ problem: Problem) -> WinStayState { WinStayState(count: problem.variants) }
}

/// The last decision, and whether it was rewarded.
struct WinStayState: AllocatingState {
  let count: Int
  private var last: Int?
  private var isRewarded = false

  init(count: Int) { self.count = count }

  var allocation: Allocation {
    guard count > 1, let last else {
      return Allocation(probabilities: Array(repeating: 1 / Double(count), count: count))
    }
    let (stay, shift) = isRewarded ? (1.0, 0.0) : (0.0, 1 / Double(count - 1))
    return Allocation(probabilities: (0..<count).map { $0 == last ? stay : shift })
  }

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let shares = allocation.probabilities
    let variant = Draw.index(weights: shares, using: &random)
    return Choice(variant, propensity: shares[variant])
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    (last, isRewarded) = (choice.variant, reward > 0)
  }
}
