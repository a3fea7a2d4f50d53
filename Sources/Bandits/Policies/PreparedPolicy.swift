public import Specifications
internal import Statistics

/// A policy that is ready to run.
public struct PreparedPolicy: Sendable {
  /// The name of the policy and the parameters that were given.
  public let specification: Specification
  /// Whether it supports temporarily unavailable variants.
  public let supportsUnavailableVariants: Bool
  /// Whether it requires a context.
  package let needsContext: Bool
  /// Whether it requires rewards in 0 ... 1.
  let needsUnitRewards: Bool
  /// Whether it depends on the number of decisions.
  let needsHorizon: Bool
  // These closures are compiled once per policy, so everything that does not need its type is outside.
  /// Simulates a stationary run from a given state, or from the initial one.
  private let simulate:
    @Sendable (SimulationLoop, StationaryRun, (any PolicyState)?, Problem, Xoshiro256)
      throws(SpecificationError) -> RunOutcome
  /// Returns the state before the first decision of a supported problem.
  private let makeUncheckedState: @Sendable (Problem) throws(SpecificationError) -> any PolicyState
  /// See ``Policy/scaleNote(_:)``.
  package let scaleNote: @Sendable (ClosedRange<Double>) -> String?
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
    let entry = Policies.catalog.entries.first { $0.type == type }
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
    scaleNote = { policy.scaleNote($0) }
    simulate = { (loop, run, start, problem, random) throws(SpecificationError) in
      let state = if let start = start as? P.State { start } else { try policy.makeState(problem) }
      return Self.simulate(state, loop, run, random)
    }
    makeUncheckedState = { (problem) throws(SpecificationError) in try policy.makeState(problem) }
    allocationPolicy = policy as? any AllocationPolicy
  }

  /// Simulates a stationary run from a state.
  ///
  /// Not inlined: the compiler does not inline calls within the thunk of a closure, and the loop would be part of it.
  @inline(never)
  private static func simulate(
    _ state: some PolicyState, _ loop: SimulationLoop, _ run: StationaryRun, _ random: Xoshiro256
  ) -> RunOutcome {
    loop.stationary(state, run, random)
  }

  /// Simulates a run from ``start``, or from the state before the first decision.
  ///
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  func run(
    _ loop: SimulationLoop, _ environment: EnvironmentRun, _ problem: Problem, _ random: Xoshiro256
  ) throws(SpecificationError) -> RunOutcome {
    if start == nil { try check(problem) }
    if let run = loop.stationaryRun(environment) {
      return try simulate(loop, run, start, problem, random)
    }
    let state = if let start { start } else { try makeUncheckedState(problem) }
    return loop.changing(state, environment.stepwise, random)
  }

  /// Returns the state before the first decision, for policies that wrap this one.
  ///
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  package func makeState(_ problem: Problem) throws(SpecificationError) -> any PolicyState {
    try check(problem)
    return try makeUncheckedState(problem)
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
