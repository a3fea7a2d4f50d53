public import Statistics

/// Something that happened in a run that is recorded.
public enum RecordedEvent: Sendable {
  /// A decision was made.
  ///
  /// - Parameters:
  ///   - step: Its number, from 0.
  ///   - choice: What was chosen, with its propensity; NaN where the policy cannot say it.
  ///   - probabilities: Those of all variants; nil where the policy cannot say them.
  ///   - context: What was known.
  case decision(step: Int, choice: Choice, probabilities: [Double]?, context: Context)
  /// The policy was told the reward of a decision, before it made the decision `before`.
  case reward(step: Int, reward: Double, before: Int)
}

extension Simulation {
  /// Makes a run and says everything that happens in it.
  ///
  /// A policy that an agent could draw by, see ``AgentPolicy``, draws from its probabilities as an agent does, so that all
  /// of them are known; its choices then are others than those of ``run(_:)``, which needs no probabilities. Rewards are
  /// the same.
  ///
  /// - Parameters:
  ///   - number: The number of the run, from 0.
  ///   - body: Called with each event in turn.
  /// - Returns: What became of it.
  /// - Throws: `SpecificationError` when the policy is not for this environment.
  public func record(
    _ number: UInt64, _ body: @escaping @Sendable (RecordedEvent) -> Void
  ) throws(SpecificationError) -> RunOutcome {
    let problem = environment.problem(horizon: rules.horizon)
    let start: (any PolicyState)? = policy.allocatedStart.map { DrawingState($0) } ?? policy.start
    let state = if let start { start } else { try policy.makeRecordedState(problem) }
    return loop.run(
      RecordingState(state, body), makeEnvironmentRun(number), makeRandom(number))
  }
}

extension PreparedPolicy {
  /// The state that draws from its probabilities, if there is one.
  fileprivate func makeRecordedState(
    _ problem: Problem
  ) throws(SpecificationError) -> any PolicyState {
    if let makeAllocatedState { return DrawingState(try makeAllocatedState(problem)) }
    // The probabilities are those of all variants; where some are missing the policy itself knows better.
    if !problem.variantsComeAndGo, let state = try makeAllocating(problem), state.canAllocate,
      !state.learnsAtRandom
    {
      return DrawingState(state)
    }
    return try makeState(problem)
  }
}

/// A policy's state that says what the policy does and is told.
struct RecordingState: PolicyState {
  private var state: any PolicyState
  private let body: @Sendable (RecordedEvent) -> Void
  private var step = 0
  /// The decisions whose rewards are still to come, by their number.
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

  var wantsAllRewards: Bool { state.wantsAllRewards }

  mutating func learnAll(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    guard let own = take(choice, rewards[choice.variant]) else { return }
    state.learnAll(own, rewards, context)
  }

  /// The choice as the policy made it, once its reward is told.
  private mutating func take(_ choice: Choice, _ reward: Double) -> Choice? {
    guard let own = pending.removeValue(forKey: choice.memo) else { return nil }
    body(.reward(step: choice.memo, reward: reward, before: step))
    return own
  }

  mutating func offer(_ available: [Bool]) { state.offer(available) }
  var recommendation: Int? { state.recommendation }
  var hasStopped: Bool { state.hasStopped }
}
