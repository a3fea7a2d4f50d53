public import Specifications
internal import Statistics

/// `successive-elimination:delta=0.05,c=5`: chooses all variants in turn, eliminating after t rounds those whose mean
/// is 2√(ln(c K t²/δ)/t) or more below the best, until one is left; for rewards in 0 ... 1.
///
/// E. Even-Dar, S. Mannor and Y. Mansour, "Action elimination and stopping conditions for the multi-armed bandit and
/// reinforcement learning problems" (JMLR 7, 2006), algorithm 3: with probability 1 − δ the remaining variant is the
/// best. It is chosen from then on. With delayed rewards, t is the smallest number of rewards of a remaining variant.
public struct SuccessiveElimination: Policy {
  /// The probability of eliminating the best variant.
  public var delta = 0.05
  /// The width of the confidence bound, above 4 in theory.
  public var c = 5.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "successive-elimination",
    "all variants in turn, eliminating those that are certainly not the best",
    source: "Even-Dar, Mannor and Mansour 2006, algorithm 3",
    example: "successive-elimination:delta=0.05,c=5")

  public static var parameters: [Field] {
    Field.number(
      "delta", \.delta, in: 1e-9...0.999, "probability of eliminating the best variant, {range}"
    )
    Field.number("c", \.c, in: 1...1e9, "width of the confidence bound, above 4 in theory, {range}")
  }

  /// The bound holds for rewards in 0 ... 1.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> SuccessiveEliminationState {
    SuccessiveEliminationState(self, problem.variants)
  }
}

/// The state of a run: the remaining variants.
public struct SuccessiveEliminationState: TurnState {
  /// ln(c K/δ).
  private let logScale: Double
  var table: ArmTable
  /// The remaining variants, in ascending order.
  private var survivors: [Int]
  private var place: Int

  init(_ policy: SuccessiveElimination, _ variants: Int) {
    logScale = Double.log(policy.c * Double(variants) / policy.delta)
    table = ArmTable(variants)
    survivors = Array(0..<variants)
    place = variants
  }

  /// The only remaining variant.
  var found: Int? { survivors.count == 1 ? survivors[0] : nil }

  /// Begins the next round after the last turn.
  mutating func prepare() {
    guard table.roster.isSettled, place >= survivors.count else { return }
    eliminate()
    place = 0
  }

  /// The next remaining variant.
  var turn: Int? { survivors[place] }

  mutating func take(_ variant: Int, isFirst: Bool) { place += 1 }

  /// The best mean among the remaining variants.
  public var recommendation: Int? {
    survivors.dropFirst().reduce(survivors[0]) {
      table.arms[$1].mean > table.arms[$0].mean ? $1 : $0
    }
  }

  private mutating func eliminate() {
    var best = -Double.infinity
    var turns = Int.max
    for variant in survivors {
      best = max(best, table.arms[variant].mean)
      turns = min(turns, table.arms[variant].decisions)
    }
    guard turns > 0 else { return }
    let t = Double(turns)
    let bound = best - 2 * ((logScale + 2 * Double.log(t)) / t).squareRoot()
    // Keeps the best itself despite rounding.
    survivors.removeAll { table.arms[$0].mean <= bound && table.arms[$0].mean < best }
  }
}
