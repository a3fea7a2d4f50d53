public import Statistics

/// A policy that is ready to run.
public struct PreparedPolicy: Sendable {
  /// The name of the policy and the parameters that were given.
  public let specification: Specification
  /// Whether it supports temporarily unavailable variants.
  public let supportsUnavailableVariants: Bool
  /// Whether it requires a context.
  let needsContext: Bool
  /// Whether it requires rewards in 0 ... 1.
  let needsUnitRewards: Bool
  /// Whether it depends on the number of decisions.
  let needsHorizon: Bool
  /// Simulates a run from a given state, or from the initial one.
  let run:
    @Sendable (SimulationLoop, EnvironmentRun, (any PolicyState)?, Problem, Xoshiro256)
      throws(SpecificationError) -> RunOutcome
  /// Returns the state before the first decision, for policies that wrap this one.
  let makeState: @Sendable (Problem) throws(SpecificationError) -> any PolicyState

  /// Returns a state that draws from the probabilities that follow from tallies; nil if they do not.
  let makeAllocatedState: (@Sendable (Problem) throws(SpecificationError) -> any AllocatingState)?

  /// The state before the first decision of each run; nil for the initial one.
  var start: (any PolicyState)?
  /// The same for the state of ``makeAllocatedState``.
  var allocatedStart: (any AllocatingState)?
  /// Returns the state before the first decision if it knows its probabilities before the draw; otherwise nil.
  let makeAllocating: @Sendable (Problem) throws(SpecificationError) -> (any AllocatingState)?

  /// Prepares a policy.
  ///
  /// The simulation loop is specialized for built-in policies and generic for any other.
  public init(_ policy: some Policy) {
    let type = ObjectIdentifier(Swift.type(of: policy))
    let entry = Policies.entries.first { $0.type == type }
    self = entry?.prepare(policy) ?? .compiled(for: policy)
  }

  /// Prepares a policy of a statically known type. Not inlined, so that the loop is specialized once per type.
  @inline(never)
  static func compiled<P: Policy>(for policy: P) -> PreparedPolicy {
    PreparedPolicy(compiledFor: policy)
  }

  @inline(__always)
  private init<P: Policy>(compiledFor policy: P) {
    specification = policy.specification
    supportsUnavailableVariants = P.supportsUnavailableVariants
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
  /// Returns a state that draws from the probabilities.
  fileprivate func makeAllocatedState(_ problem: Problem) -> any AllocatingState {
    AllocatedState(self, problem)
  }
}

extension Policy {
  /// Returns the state before the first decision if the policy supports the problem.
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
    if problem.hasUnavailableVariants, !Self.supportsUnavailableVariants {
      throw SpecificationError(
        "\(specification) cannot do without a variant for a while, and those of this environment come and go; take "
          + "another policy, such as ucb1")
    }
    return try makeState(problem)
  }
}
