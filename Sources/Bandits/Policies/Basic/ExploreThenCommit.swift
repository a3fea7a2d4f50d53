public import Statistics

/// `etc:pulls=100`: explore, then commit. Each variant in turn until each was chosen so often, then the best one.
///
/// T. Lattimore and C. Szepesvári, *Bandit Algorithms* (2020), algorithm 1. While it explores, the variants chosen least
/// often are next. Afterwards it stays with the one variant that was chosen more often than `pulls`, which in a history
/// of its own is the one it committed itself to. If several were, because others chose as well, such as a control
/// group, tallies no longer tell which one that was, and it takes the best mean so far.
public struct ExploreThenCommit: Policy, AllocationPolicy {
  private static let pulls = Parameter.integer(
    "pulls", default: 100, in: 1...Int(Int32.max),
    "decisions for each variant, from 1")

  /// What there is to say about it.
  public static let guide = Guide(
    "etc", "each variant so often, then the best one for good",
    [pulls],
    source: "Lattimore and Szepesvári 2020, algorithm 1")

  /// How it is written.
  public let specification: Specification
  private let pulls: Int

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(pulls: Int? = nil) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.pulls.written(pulls)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: the number is no whole number from 1.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    pulls = try Self.pulls.value(in: specification)
  }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> AllocatedState<ExploreThenCommit> {
    AllocatedState(self, problem)
  }

  /// Equal parts for the variants chosen least often, then all for one.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let fewest = arms.reduce(Int.max) { min($0, $1.decisions) }
    if fewest < pulls { return .shared(among: arms.map { $0.decisions == fewest }) }
    let committed = arms.map { $0.decisions > pulls }
    if committed.count(where: { $0 }) == 1 { return .shared(among: committed) }
    return .shared(amongLargest: arms.map(\.mean))
  }
}
