internal import Statistics

/// The inner loop: one policy in one run.
///
/// It is generic over the policy's state and specialized for each, so that a step needs no dynamic dispatch, allocation
/// or reference counting.
struct SimulationLoop {
  let rules: RunRules
  /// The steps at which the run is measured, counted from 1.
  let steps: [Int]

  init(_ rules: RunRules) {
    self.rules = rules
    steps = rules.checkpoints.steps(horizon: rules.horizon)
  }

  /// Simulates a run.
  ///
  /// The stationary loop is not compiled for policies that need a context, which no stationary environment has: there
  /// `needsContext` is a constant.
  @inline(__always)
  func run<S: PolicyState>(
    _ state: S, _ environment: EnvironmentRun, _ random: Xoshiro256, needsContext: Bool = false
  ) -> RunOutcome {
    if !needsContext, rules.batch <= 1, case .stationary(let run) = environment {
      return stationary(state, run, random)
    }
    return changing(state, environment.stepwise, random)
  }

  // MARK: Stationary rewards

  @inline(__always)
  private func stationary<S: PolicyState>(
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
      while step < end {
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

  // MARK: Changing or delayed rewards

  /// Simulates a changing run, at the cost of one dynamic call per use of the environment.
  private func changing<S: PolicyState>(
    _ start: S, _ environment: any ChangingRun, _ seed: Xoshiro256
  ) -> RunOutcome {
    var state = start
    var random = seed
    var run = ChangingSteps(
      environment, batch: rules.batch, usesFullInformation: state.usesFullInformation)
    var points: [RunOutcome.Point] = []
    var stopped: Int?
    var step = 0
    for end in steps {
      while step < end {
        let available = run.begin(step)
        while let outcome = run.takeDue() { learn(outcome, &state) }
        if let available { state.offer(available) }
        let context = run.context
        let choice = state.choose(context, &random)
        if let outcome = run.observe(choice, context) { learn(outcome, &state) }
        step += 1
        if state.hasStopped, stopped == nil { stopped = step }
      }
      points.append(run.point(recommendation(state, run.choices)))
    }
    return RunOutcome(
      points: points, choices: run.choices, regretByVariant: run.regretByVariant,
      recommendation: recommendation(state, run.choices), stopped: stopped)
  }

  @inline(__always)
  private func learn(_ outcome: PendingRewards.Item, _ state: inout some PolicyState) {
    if state.usesFullInformation {
      state.learnFullInformation(outcome.choice, outcome.all, outcome.context)
    } else {
      state.learn(outcome.choice, outcome.reward, outcome.context)
    }
  }

  private func recommendation(_ state: some PolicyState, _ choices: [Int]) -> Int {
    state.recommendation ?? Self.mostChosen(choices)
  }

  /// Not inlined, as it is needed several times for each policy.
  @inline(never)
  private static func mostChosen(_ choices: [Int]) -> Int {
    choices.indices.reduce(0) { choices[$1] > choices[$0] ? $1 : $0 }
  }
}
