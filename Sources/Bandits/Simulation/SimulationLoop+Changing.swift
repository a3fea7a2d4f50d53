internal import Statistics

extension SimulationLoop {
  /// Simulates a run in which something changes from step to step, or whose rewards come in batches.
  ///
  /// Policy and environment are called through their protocols, which are opened once for the run.
  func changing(
    _ start: any PolicyState, _ environment: any ChangingRun, _ random: Xoshiro256
  ) -> RunOutcome {
    follow(start, environment, random)
  }

  /// Not specialized by type: nothing here depends on it, and each copy would be large.
  @inline(never)
  private func follow<S: PolicyState, R: ChangingRun>(
    _ start: S, _ environment: R, _ seed: Xoshiro256
  ) -> RunOutcome {
    var state = start
    var run = environment
    var random = seed
    let usesFullInformation = state.usesFullInformation
    var tally = ChangingTally(variants: run.variantCount)
    var pending = PendingRewards()
    var offered: [Bool]?
    var points: [RunOutcome.Point] = []
    var stopped: Int?
    func tell(_ choice: Choice, _ reward: Double, _ all: [Double], _ context: Context) {
      if usesFullInformation {
        state.learnFullInformation(choice, all, context)
      } else {
        state.learn(choice, reward, context)
      }
    }
    var step = 0
    for end in steps {
      while step < end {
        run.begin(step)
        while let item = pending.takeDue(at: step) {
          tell(item.choice, item.reward, item.all, item.context)
        }
        let available = run.available
        if let available, available != offered {
          state.offer(available)
          offered = available
        }
        let context = run.context
        let choice = state.choose(context, &random)
        tally.choose(choice.variant, run, available)
        let all = usesFullInformation ? run.allRewards : []
        let reward = run.reward(choice.variant)
        tally.reward += reward
        let due = dueStep(step, delay: run.delay())
        if due <= step {
          tell(choice, reward, all, context)
        } else {
          pending.add(.init(due: due, step: step, choice: choice, reward: reward, all: all, context: context))
        }
        step += 1
        if stopped == nil, state.hasStopped { stopped = step }
      }
      points.append(tally.point(run, recommendation(state, tally.choices)))
    }
    return RunOutcome(
      points: points, choices: tally.choices, regretByVariant: tally.regretByVariant,
      recommendation: recommendation(state, tally.choices), stopped: stopped)
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
  /// The mean of each variant at the current step.
  private var means: [Double]
  /// The sum of each variant's means over the steps.
  private var sums: [Double]

  init(variants: Int) {
    choices = [Int](repeating: 0, count: variants)
    regretByVariant = [Double](repeating: 0, count: variants)
    (means, sums) = (regretByVariant, regretByVariant)
  }

  mutating func choose(_ variant: Int, _ run: some ChangingRun, _ available: [Bool]?) {
    run.means(into: &means)
    let (best, mean) = add(available, variant)
    let stepOptimum = run.optimum
    regret += stepOptimum - mean
    regretByVariant[variant] += stepOptimum - mean
    optimum += stepOptimum
    chosen += mean
    choices[variant] += 1
    if mean == best { bestChoices += 1 }
  }

  /// Adds the means of the step to the sums; returns the best of the available ones and that of the choice.
  private mutating func add(_ available: [Bool]?, _ variant: Int) -> (best: Double, chosen: Double) {
    var best = -Double.infinity
    for index in means.indices {
      sums[index] += means[index]
      if available?[index] ?? true { best = max(best, means[index]) }
    }
    return (best, means[variant])
  }

  func point(_ run: some ChangingRun, _ recommended: Int) -> RunOutcome.Point {
    var point = RunOutcome.Point()
    point.regret = regret
    point.realizedRegret = optimum - reward
    point.fixedRegret = sums.reduce(-.infinity) { max($0, $1) } - chosen
    point.reward = reward
    point.bestChoices = bestChoices
    point.simpleRegret = run.optimum - run.mean(recommended)
    return point
  }
}

/// A stationary run, step by step.
struct StationarySteps: ChangingRun {
  private let run: StationaryRun
  private var step = 0

  init(_ run: StationaryRun) { self.run = run }

  mutating func begin(_ step: Int) { self.step = step }
  var variantCount: Int { run.means.count }
  func mean(_ variant: Int) -> Double { run.means[variant] }
  func means(into means: inout [Double]) { means = run.means }
  var optimum: Double { run.optimum }
  mutating func reward(_ variant: Int) -> Double { run.reward(variant, step) }
}
