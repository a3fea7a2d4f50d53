internal import Statistics

/// Simulates a stationary run of a policy, specialized for its states; returns nil for a state of another type.
typealias StationaryLoop =
  @Sendable (SimulationLoop, any PolicyState, StationaryRun, Xoshiro256) -> RunOutcome?

/// The inner loop: one policy in one run.
///
/// The loop of stationary rewards is specialized for each policy's state, so that a step needs no dynamic dispatch,
/// allocation or reference counting. That of other runs is one for all, since each of their steps costs more.
struct SimulationLoop {
  let rules: RunRules
  /// The steps at which the run is measured, counted from 1.
  let steps: [Int]

  init(_ rules: RunRules) {
    self.rules = rules
    steps = rules.checkpoints.steps(horizon: rules.horizon)
  }

  /// Simulates a run.
  func run(_ state: some PolicyState, _ environment: EnvironmentRun, _ random: Xoshiro256) -> RunOutcome {
    if let run = stationaryRun(environment) { return stationary(state, run, random) }
    return changing(state, environment.stepwise, random)
  }

  /// The run if its rewards are immediate and never change; otherwise nil.
  func stationaryRun(_ environment: EnvironmentRun) -> StationaryRun? {
    guard rules.batch <= 1, case .stationary(let run) = environment else { return nil }
    return run
  }

  /// Returns the loop of stationary runs for states of a statically known type.
  @inline(__always)
  static func specialized<S: PolicyState>(for type: S.Type) -> StationaryLoop {
    { (loop, state, run, random) in (state as? S).map { loop.simulate($0, run, random) } }
  }

  /// Not inlined: the compiler does not inline calls within the thunk of a closure, and the loop would be part of it.
  @inline(never)
  private func simulate(_ state: some PolicyState, _ run: StationaryRun, _ random: Xoshiro256) -> RunOutcome {
    stationary(state, run, random)
  }

  /// Simulates a run with immediate rewards that never change.
  @inline(__always)
  func stationary<S: PolicyState>(
    _ start: S, _ run: StationaryRun, _ seed: Xoshiro256
  ) -> RunOutcome {
    var state = start
    var random = seed
    var choices = [Int](repeating: 0, count: run.means.count)
    var points: [RunOutcome.Point] = []
    var stopped: Int?
    // `usesFullInformation` is a compile-time constant here; policies that do not use all rewards pay nothing.
    var all = [Double](repeating: 0, count: state.usesFullInformation ? choices.count : 0)
    var reward = 0.0
    var step = 0
    for end in steps {
      // Borrowed once for all steps up to the checkpoint.
      var counts = choices.mutableSpan
      while true {
        step += state.advance(step..<end, of: run, &counts, &reward, &random)
        guard step < end else { break }
        let choice = state.choose(.none, &random)
        let value = run.reward(choice.variant, step)
        counts[choice.variant] += 1
        reward += value
        if state.usesFullInformation {
          for variant in all.indices { all[variant] = run.reward(variant, step) }
          state.learnFullInformation(choice, all, .none)
        } else {
          state.learn(choice, value, .none)
        }
        step += 1
        if state.hasStopped, stopped == nil { stopped = step }
      }
      points.append(Self.point(run, choices, reward, step, recommendation(state, choices)))
    }
    return RunOutcome(
      points: points, choices: choices,
      regretByVariant: choices.indices.map { Double(choices[$0]) * (run.optimum - run.means[$0]) },
      recommendation: recommendation(state, choices), stopped: stopped)
  }

  /// Computes a point of a stationary run from the choice counts alone.
  private static func point(
    _ run: StationaryRun, _ choices: [Int], _ reward: Double, _ step: Int, _ recommended: Int
  ) -> RunOutcome.Point {
    var point = RunOutcome.Point()
    for (variant, count) in choices.enumerated() {
      point.regret += Double(count) * (run.optimum - run.means[variant])
      if run.means[variant] == run.optimum { point.bestChoices += count }
    }
    point.fixedRegret = point.regret
    point.reward = reward
    point.realizedRegret = Double(step) * run.optimum - reward
    point.simpleRegret = run.optimum - run.means[recommended]
    return point
  }

  func recommendation(_ state: some PolicyState, _ choices: [Int]) -> Int {
    state.recommendation ?? Self.mostChosen(choices)
  }

  /// Not inlined, as it is needed several times for each policy.
  @inline(never)
  private static func mostChosen(_ choices: [Int]) -> Int {
    choices.indices.reduce(0) { choices[$1] > choices[$0] ? $1 : $0 }
  }
}
