/// The part of a changing run that does not depend on the policy: the environment, its delayed rewards, and what is
/// measured.
///
/// Its functions are not inlined, so that they are compiled once and not for each policy.
struct ChangingSteps {
  private var run: any ChangingRun
  private var tally: ChangingTally
  private var pending = PendingRewards()
  private var offered: [Bool]?
  private var step = 0
  private let batch: Int
  private let usesFullInformation: Bool

  init(_ run: any ChangingRun, batch: Int, usesFullInformation: Bool) {
    self.run = run
    self.batch = batch
    self.usesFullInformation = usesFullInformation
    tally = ChangingTally(variants: run.variantCount)
  }

  /// The features of the decision.
  var context: Context { run.context }

  /// The number of decisions for each variant.
  var choices: [Int] { tally.choices }

  /// The regret of the decisions for each variant.
  var regretByVariant: [Double] { tally.regretByVariant }

  /// Begins a step.
  ///
  /// - Returns: Which variants are available from now on; nil if that has not changed.
  @inline(never)
  mutating func begin(_ step: Int) -> [Bool]? {
    self.step = step
    run.begin(step)
    guard let available = run.available, available != offered else { return nil }
    offered = available
    return available
  }

  /// Removes and returns the next reward that is due before the decision of this step; nil if there is none.
  @inline(never)
  mutating func takeDue() -> PendingRewards.Item? { pending.takeDue(at: step) }

  /// Measures the decision of this step and draws its reward.
  ///
  /// - Returns: The reward if the policy learns it at once; nil if it is delayed.
  @inline(never)
  mutating func observe(_ choice: Choice, _ context: Context) -> PendingRewards.Item? {
    tally.choose(choice.variant, run)
    let all = usesFullInformation ? run.allRewards : []
    let reward = run.reward(choice.variant)
    tally.reward += reward
    let due = dueStep(delay: run.delay())
    let item = PendingRewards.Item(
      due: due, step: step, choice: choice, reward: reward, all: all, context: context)
    if due <= step { return item }
    pending.add(item)
    return nil
  }

  /// The measures up to this step, for a recommended variant.
  @inline(never)
  func point(_ recommended: Int) -> RunOutcome.Point { tally.point(run, recommended) }

  /// Returns the step before whose decision a reward is delivered; the step itself if immediate. A batch is delivered
  /// when it is full.
  private func dueStep(delay: Int) -> Int {
    let told = step.addingReportingOverflow(max(0, delay))
    guard !told.overflow else { return .max }
    if batch <= 1 { return told.partialValue + (delay > 0 ? 1 : 0) }
    let (end, isOver) = (told.partialValue / batch + 1).multipliedReportingOverflow(by: batch)
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
  /// The sum of each variant's means over the steps.
  private var means: [Double]

  init(variants: Int) {
    choices = [Int](repeating: 0, count: variants)
    regretByVariant = [Double](repeating: 0, count: variants)
    means = regretByVariant
  }

  mutating func choose(_ variant: Int, _ run: any ChangingRun) {
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

  func point(_ run: any ChangingRun, _ recommended: Int) -> RunOutcome.Point {
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
