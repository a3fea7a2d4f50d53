public import Specifications

/// `etc:pulls=100`: explore, then commit: pulls each variant the given number of times in turn, then the best one for
/// good.
///
/// T. Lattimore and C. Szepesvári, *Bandit Algorithms* (2020), algorithm 1. While exploring, the least often chosen
/// variants are next. Afterwards it stays with the only variant that was chosen more often than `pulls`, which in a
/// history of its own is the one it committed to. If there are several, because others chose as well, such as a control
/// group, the tallies do not tell which one that was, and it takes the best mean so far.
public struct ExploreThenCommit: AllocationPolicy {
  /// The number of pulls of each variant.
  public var pulls = 100
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "etc", "explore, then commit: a number of pulls of each variant, then the best one",
    source: "Lattimore and Szepesvári 2020, algorithm 1", example: "etc:pulls=100")

  public static var parameters: [Field] {
    Field.integer("pulls", \.pulls, in: 1...Int(Int32.max), "pulls of each variant, from 1")
  }

  public func makeState(_ problem: Problem) -> CommitmentState { CommitmentState(self, problem) }

  /// Returns equal probabilities for the least often chosen variants, then probability 1 for one.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let exploring = exploring(arms)
    if !exploring.isEmpty { return .shared(among: exploring, of: arms.count) }
    if let committed = committed(arms) { return .only(committed, of: arms.count) }
    return .shared(amongLargest: arms.map(\.mean))
  }

  /// Returns the least often chosen variants while they have fewer than ``pulls``, in ascending order, and none then.
  func exploring(_ arms: [ArmTally]) -> [Int] {
    let fewest = arms.reduce(Int.max) { min($0, $1.decisions) }
    return fewest < pulls ? arms.indices.filter { arms[$0].decisions == fewest } : []
  }

  /// Returns the only variant that was chosen more often than ``pulls``; nil if there are none or several.
  func committed(_ arms: [ArmTally]) -> Int? {
    let variants = arms.indices.filter { arms[$0].decisions > pulls }
    return variants.count == 1 ? variants[0] : nil
  }
}
