public import Statistics

/// A policy that is ready to be run.
public struct PreparedPolicy: Sendable {
  /// How it is written.
  public let specification: Specification
  /// Whether it can do without variants that are not there for a while.
  public let takesAbsence: Bool
  /// Whether it has nothing to choose by without a context.
  let needsContext: Bool
  /// Whether only rewards in 0 ... 1 have a meaning for it.
  let needsUnitRewards: Bool
  /// Whether it has to know how many decisions there will be.
  let needsHorizon: Bool
  /// Runs it from a state of its own, or from the beginning.
  let run:
    @Sendable (SimulationLoop, EnvironmentRun, (any PolicyState)?, Problem, Xoshiro256)
      throws(SpecificationError) -> RunOutcome
  /// Its state before the first decision, for policies that are made of others.
  let makeState: @Sendable (Problem) throws(SpecificationError) -> any PolicyState

  /// A state that draws from the probabilities that follow from tallies; nil where they do not.
  let makeAllocatedState: (@Sendable (Problem) throws(SpecificationError) -> any AllocatingState)?

  /// What it knows before the first decision of each run; nil for nothing.
  var start: (any PolicyState)?
  /// The same for the state of ``makeAllocatedState``.
  var allocatedStart: (any AllocatingState)?
  /// Its state before the first decision if that says its probabilities beforehand; nil if not.
  let makeAllocating: @Sendable (Problem) throws(SpecificationError) -> (any AllocatingState)?

  /// Prepares a policy.
  ///
  /// The loop of a built-in policy is compiled for its type; that of any other is generic.
  public init(_ policy: some Policy) {
    let type = ObjectIdentifier(Swift.type(of: policy))
    let entry = Policies.entries.first { $0.type == type }
    self = entry?.prepare(policy) ?? .compiled(for: policy)
  }

  /// Prepares a policy whose type is known to the compiler. It is not inlined, so that the loop is compiled once for
  /// each type.
  @inline(never)
  static func compiled<P: Policy>(for policy: P) -> PreparedPolicy {
    PreparedPolicy(compiledFor: policy)
  }

  @inline(__always)
  private init<P: Policy>(compiledFor policy: P) {
    specification = policy.specification
    takesAbsence = P.takesAbsence
    needsContext = P.needsContext
    needsUnitRewards = P.needsUnitRewards
    needsHorizon = policy.needsHorizon
    run = { (loop, environment, start, problem, random) throws(SpecificationError) in
      let state =
        if let start = start as? P.State { start } else { try policy.checkedState(problem) }
      return loop.run(state, environment, random)
    }
    makeState = { (problem) throws(SpecificationError) in try policy.checkedState(problem) }
    makeAllocating = { (problem) throws(SpecificationError) in
      try policy.checkedState(problem) as? any AllocatingState
    }
    if let allocation = policy as? any AllocationPolicy {
      makeAllocatedState = { (problem) throws(SpecificationError) in
        _ = try policy.checkedState(problem)
        return allocation.makeAllocatedState(problem)
      }
    } else {
      makeAllocatedState = nil
    }
  }
}

extension AllocationPolicy {
  /// A state that draws from the probabilities.
  fileprivate func makeAllocatedState(_ problem: Problem) -> any AllocatingState {
    AllocatedState(self, problem)
  }
}

extension Policy {
  /// Its state, if the problem is one for it.
  fileprivate func checkedState(_ problem: Problem) throws(SpecificationError) -> State {
    if Self.needsUnitRewards,
      problem.rewards.map({ $0.lowerBound < 0 || $0.upperBound > 1 }) ?? true
    {
      throw SpecificationError(
        "\(specification) needs rewards from 0 to 1, and those of this environment may lie outside; take another "
          + "policy, such as ucb1 or thompson-gaussian")
    }
    if Self.needsContext, problem.sharedFeatures == 0, problem.variantFeatures == 0 {
      throw SpecificationError(
        "\(specification) chooses by a context, and this environment has none; take a contextual environment, such as "
          + "linear")
    }
    if problem.variantsComeAndGo, !Self.takesAbsence {
      throw SpecificationError(
        "\(specification) cannot do without a variant for a while, and those of this environment come and go; take "
          + "another policy, such as ucb1")
    }
    return try makeState(problem)
  }
}
