public import Specifications
internal import Statistics

/// An event of a recorded run.
public enum RecordedEvent: Sendable {
  /// A decision.
  ///
  /// - Parameters:
  ///   - step: The number of the decision, from 0.
  ///   - choice: The choice with its propensity; NaN if the policy cannot compute it.
  ///   - probabilities: The probabilities of all variants; nil if the policy cannot compute them.
  ///   - context: The context of the decision.
  case decision(step: Int, choice: Choice, probabilities: [Double]?, context: Context)
  /// The policy learned the reward of the decision `step` just before it made the decision `before`.
  case reward(step: Int, reward: Double, before: Int)
}

extension Simulation {
  /// Simulates a run and reports every decision and reward.
  ///
  /// A policy that an agent can use, see ``AgentPolicy``, draws from its probabilities as an agent does, so that all of
  /// them are known. Its choices then differ from those of ``run(_:)``, which needs no probabilities; the rewards are
  /// the same.
  ///
  /// - Parameters:
  ///   - number: The number of the run, from 0.
  ///   - body: Called with each event, in order.
  /// - Returns: The outcome of the run.
  /// - Throws: `SpecificationError` if the policy does not support the environment.
  public func record(
    _ number: UInt64, _ body: @escaping @Sendable (RecordedEvent) -> Void
  ) throws(SpecificationError) -> RunOutcome {
    let problem = environment.problem(horizon: rules.horizon)
    return loop.run(
      RecordingState(try policy.makeRecordedState(problem), body), makeEnvironmentRun(number),
      makeRandom(number))
  }
}

extension PreparedPolicy {
  /// Returns a state that draws from its own probabilities if possible, otherwise the ordinary state.
  fileprivate func makeRecordedState(
    _ problem: Problem
  ) throws(SpecificationError) -> any PolicyState {
    if let allocatingStart { return DrawingState(allocatingStart) }
    if let start { return start }
    // Unless they follow from tallies, the probabilities cover all variants; if some may be unavailable, the policy
    // draws for itself.
    if allocationPolicy != nil || !problem.hasUnavailableVariants,
      let state = try makeAllocatingState(problem), !state.learningIsRandomized
    {
      return DrawingState(state)
    }
    return try makeState(problem)
  }
}

/// A state that draws from the probabilities of another one, as an agent does, and keeps those of its last choice.
private struct DrawingState: PolicyState {
  private var state: any AllocatingState
  /// The probabilities of the last choice.
  private(set) var probabilities: [Double] = []

  init(_ state: any AllocatingState) { self.state = state }

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    probabilities = state.allocation.probabilities
    let variant = Draw.index(weights: probabilities, using: &random)
    state.note(variant)
    return Choice(variant, propensity: probabilities[variant])
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    state.learn(choice, reward, context)
  }

  var usesFullInformation: Bool { state.usesFullInformation }

  mutating func learnFullInformation(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    state.learnFullInformation(choice, rewards, context)
  }

  mutating func offer(_ available: [Bool]) { state.offer(available) }
  var recommendation: Int? { state.recommendation }
  var hasStopped: Bool { state.hasStopped }
}

/// A wrapper around a policy's state that reports its decisions and rewards.
struct RecordingState: PolicyState {
  private var state: any PolicyState
  private let body: @Sendable (RecordedEvent) -> Void
  private var step = 0
  /// The decisions whose rewards are pending, by number.
  private var pending: [Int: Choice] = [:]

  init(_ state: any PolicyState, _ body: @escaping @Sendable (RecordedEvent) -> Void) {
    self.state = state
    self.body = body
  }

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var choice = state.choose(context, &random)
    let probabilities = (state as? DrawingState)?.probabilities
    body(.decision(step: step, choice: choice, probabilities: probabilities, context: context))
    pending[step] = choice
    choice.memo = step
    step += 1
    return choice
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    guard let own = take(choice, reward) else { return }
    state.learn(own, reward, context)
  }

  var usesFullInformation: Bool { state.usesFullInformation }

  mutating func learnFullInformation(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    guard let own = take(choice, rewards[choice.variant]) else { return }
    state.learnFullInformation(own, rewards, context)
  }

  /// Returns the choice as the policy made it and reports its reward.
  private mutating func take(_ choice: Choice, _ reward: Double) -> Choice? {
    guard let own = pending.removeValue(forKey: choice.memo) else { return nil }
    body(.reward(step: choice.memo, reward: reward, before: step))
    return own
  }

  mutating func offer(_ available: [Bool]) { state.offer(available) }
  var recommendation: Int? { state.recommendation }
  var hasStopped: Bool { state.hasStopped }
}
