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
    return changing(state, AnyRun(environment.stepwise), random)
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

  // MARK: Changing or delayed rewards

  private func changing<S: PolicyState, R: ChangingRun>(
    _ start: S, _ environment: R, _ seed: Xoshiro256
  ) -> RunOutcome {
    var state = start
    var run = environment
    var random = seed
    var tally = ChangingTally(variants: run.variantCount)
    var pending = PendingRewards()
    var offered: [Bool]?
    var points: [RunOutcome.Point] = []
    var stopped: Int?
    var step = 0
    for end in steps {
      while step < end {
        run.begin(step)
        while let item = pending.takeDue(at: step) {
          tell(&state, item.choice, item.reward, item.all, item.context)
        }
        if let available = run.available, available != offered {
          state.offer(available)
          offered = available
        }
        let context = run.context
        let choice = state.choose(context, &random)
        tally.choose(choice.variant, run)
        let all = state.usesFullInformation ? run.allRewards : []
        let reward = run.reward(choice.variant)
        tally.reward += reward
        let due = dueStep(step, delay: run.delay())
        if due <= step {
          tell(&state, choice, reward, all, context)
        } else {
          pending.add(
            .init(due: due, step: step, choice: choice, reward: reward, all: all, context: context))
        }
        step += 1
        if state.hasStopped, stopped == nil { stopped = step }
      }
      points.append(tally.point(run, recommendation(state, tally.choices)))
    }
    return RunOutcome(
      points: points, choices: tally.choices, regretByVariant: tally.regretByVariant,
      recommendation: recommendation(state, tally.choices), stopped: stopped)
  }

  @inline(__always)
  private func tell(
    _ state: inout some PolicyState, _ choice: Choice, _ reward: Double, _ all: [Double],
    _ context: Context
  ) {
    if state.usesFullInformation {
      state.learnFullInformation(choice, all, context)
    } else {
      state.learn(choice, reward, context)
    }
  }

  /// Returns the step before whose decision a reward is delivered; the step itself if immediate. A batch is delivered
  /// when it is full.
  private func dueStep(_ step: Int, delay: Int) -> Int {
    let told = step.addingReportingOverflow(max(0, delay))
    guard !told.overflow else { return .max }
    if rules.batch <= 1 { return told.partialValue + (delay > 0 ? 1 : 0) }
    let (end, isOver) = (told.partialValue / rules.batch + 1).multipliedReportingOverflow(
      by: rules.batch)
    return isOver ? .max : end
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

/// The cumulative measures of a run whose means change.
private struct ChangingTally {
  var choices: [Int]
  var regretByVariant: [Double]
  var reward = 0.0
  private var regret = 0.0
  private var optimum = 0.0
  private var chosen = 0.0
  private var bestChoices = 0
  /// The sum of each variant's means over the steps.
  private var means: [Double]

  init(variants: Int) {
    choices = [Int](repeating: 0, count: variants)
    regretByVariant = [Double](repeating: 0, count: variants)
    means = regretByVariant
  }

  mutating func choose(_ variant: Int, _ run: some ChangingRun) {
    let available = run.available
    var best = -Double.infinity
    for index in means.indices {
      let mean = run.mean(index)
      means[index] += mean
      if available?[index] ?? true { best = max(best, mean) }
    }
    let mean = run.mean(variant)
    let loss = run.optimum - mean
    regret += loss
    regretByVariant[variant] += loss
    optimum += run.optimum
    chosen += mean
    choices[variant] += 1
    if mean == best { bestChoices += 1 }
  }

  func point(_ run: some ChangingRun, _ recommended: Int) -> RunOutcome.Point {
    var point = RunOutcome.Point()
    point.regret = regret
    point.realizedRegret = optimum - reward
    point.fixedRegret = means.reduce(-.infinity) { max($0, $1) } - chosen
    point.reward = reward
    point.bestChoices = bestChoices
    point.simpleRegret = run.optimum - run.mean(recommended)
    return point
  }
}

/// A changing run, at the cost of one dynamic call per use.
private struct AnyRun: ChangingRun {
  private var run: any ChangingRun

  init(_ run: any ChangingRun) { self.run = run }

  mutating func begin(_ step: Int) { run.begin(step) }
  var variantCount: Int { run.variantCount }
  var context: Context { run.context }
  func mean(_ variant: Int) -> Double { run.mean(variant) }
  var optimum: Double { run.optimum }
  mutating func reward(_ variant: Int) -> Double { run.reward(variant) }
  func reward(ifChosen variant: Int) -> Double { run.reward(ifChosen: variant) }
  var available: [Bool]? { run.available }
  mutating func delay() -> Int { run.delay() }
}

/// A stationary run, step by step.
struct StationarySteps: ChangingRun {
  private let run: StationaryRun
  private var step = 0

  init(_ run: StationaryRun) { self.run = run }

  mutating func begin(_ step: Int) { self.step = step }
  var variantCount: Int { run.means.count }
  func mean(_ variant: Int) -> Double { run.means[variant] }
  var optimum: Double { run.optimum }
  mutating func reward(_ variant: Int) -> Double { run.reward(variant, step) }
}
