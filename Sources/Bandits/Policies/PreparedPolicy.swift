public import Specifications
internal import Statistics

/// A policy that is ready to run.
public struct PreparedPolicy: Sendable {
  /// The name of the policy and the parameters that were given.
  public let specification: Specification
  private let policy: any Policy
  /// The loop for states of this policy; nil for the one that takes any state.
  private let loop: StationaryLoop?
  /// The policy, if its probabilities follow from tallies; otherwise nil.
  let allocationPolicy: (any AllocationPolicy)?

  /// The state before the first decision of each run; nil for the initial one.
  var start: (any PolicyState)?
  /// The same for the state of an ``allocationPolicy`` that draws from its probabilities.
  var allocatingStart: (any AllocatingState)?

  /// Prepares a policy.
  ///
  /// The simulation loop is specialized for built-in policies and generic for any other.
  public init(_ policy: some Policy) {
    let type = ObjectIdentifier(Swift.type(of: policy))
    self.init(policy, Policies.catalog.entries.first { $0.type == type }?.loop)
  }

  init(_ policy: any Policy, _ loop: StationaryLoop?) {
    specification = policy.specification
    self.policy = policy
    self.loop = loop
    allocationPolicy = policy as? any AllocationPolicy
  }

  /// Whether it supports temporarily unavailable variants.
  public var supportsUnavailableVariants: Bool { type(of: policy).supportsUnavailableVariants }

  /// Whether it requires a context.
  package var needsContext: Bool { type(of: policy).needsContext }

  /// Whether it requires rewards in 0 ... 1.
  var needsUnitRewards: Bool { type(of: policy).needsUnitRewards }

  /// Whether it depends on the number of decisions.
  var needsHorizon: Bool { policy.needsHorizon }

  /// See ``Policy/scaleNote(_:)``.
  package func scaleNote(_ rewards: ClosedRange<Double>) -> String? { policy.scaleNote(rewards) }

  /// Simulates a run from ``start``, or from the state before the first decision.
  ///
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  func run(
    _ simulation: SimulationLoop, _ environment: EnvironmentRun, _ problem: Problem, _ random: Xoshiro256
  ) throws(SpecificationError) -> RunOutcome {
    let state = if let start { start } else { try makeState(problem) }
    if let loop, let run = simulation.stationaryRun(environment),
      let outcome = loop(simulation, state, run, random)
    {
      return outcome
    }
    return simulation.run(state, environment, random)
  }

  /// Returns the state before the first decision, for policies that wrap this one.
  ///
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  package func makeState(_ problem: Problem) throws(SpecificationError) -> any PolicyState {
    try check(problem)
    return try policy.makeState(problem)
  }

  /// Returns the state before the first decision with its probabilities known before the draw; nil if they are not.
  func makeAllocatingState(
    _ problem: Problem
  ) throws(SpecificationError) -> (any AllocatingState)? {
    let state = try makeState(problem)
    if let allocationPolicy { return allocationPolicy.makeAllocatedState(problem) }
    guard let state = state as? any AllocatingState, state.canAllocate else { return nil }
    return state
  }

  /// Checks that the policy supports the problem.
  private func check(_ problem: Problem) throws(SpecificationError) {
    if needsUnitRewards,
      problem.rewards.map({ $0.lowerBound < 0 || $0.upperBound > 1 }) ?? true
    {
      throw SpecificationError(
        "\(specification) needs rewards from 0 to 1, and those of this environment may lie outside; take another "
          + "policy, such as ucb1 or thompson-gaussian")
    }
    if needsContext, problem.sharedFeatures == 0, problem.variantFeatures == 0 {
      throw SpecificationError(
        "\(specification) chooses by a context, and this environment has none; take a contextual environment, such as "
          + "linear")
    }
    if problem.hasUnavailableVariants, !supportsUnavailableVariants {
      throw SpecificationError(
        "\(specification) cannot do without a variant for a while, and those of this environment come and go; take "
          + "another policy, such as ucb1")
    }
  }
}

extension PreparedPolicy? {
  /// Returns the state of the policy before the first decision.
  ///
  /// - Throws: `SpecificationError` if there is none, or it does not support the problem.
  func makeState(
    _ problem: Problem, in wrapper: some Policy
  ) throws(SpecificationError) -> any PolicyState {
    guard let policy = self else {
      throw SpecificationError("\(wrapper.specification.name) needs a policy")
    }
    return try policy.makeState(problem)
  }
}
