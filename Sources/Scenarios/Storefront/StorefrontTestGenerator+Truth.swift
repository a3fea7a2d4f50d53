internal import Statistics

extension StorefrontTestGenerator {
  /// The truth of each test, in their order.
  var truths: [Truth.Experiment] { experiments.indices.map { truth(of: experiments[$0], $0) } }

  private func truth(of test: StorefrontExperiment, _ index: Int) -> Truth.Experiment {
    let names = test.slots[0].variants
    let effects = test.effects
    let variants = names.indices.map { variant in
      let cell = tallies.slots[index][0].cells[variant]
      let moments = test.loggedMoments(of: variant)
      let isCounted = if case .one = test.worth { true } else { false }
      return Truth.Variant(
        variant: names[variant], propensity: test.propensity(of: variant, in: 0), rewardMean: moments.mean,
        rewardVariance: moments.variance, decisions: cell.decisions, rewards: cell.rewards,
        rewardSum: isCounted ? Double(cell.rewards) : cell.sum.value)
    }
    var best: Truth.Effect?
    for effect in effects where effect.metric == "reward" && effect.mean > best?.mean ?? 0 { best = effect }
    return Truth.Experiment(
      experiment: test.name, about: test.about, goal: test.goal, policy: test.logger.policy,
      smallestPropensity: variants.compactMap(\.propensity).min() ?? 0, isSticky: test.isSticky,
      goals: tallies.goals[index], refusedGoals: 0,
      slots: [
        Truth.Slot(
          point: nil, slot: nil, bestVariant: best?.variant ?? "", variants: variants, contexts: [])
      ],
      effects: effects)
  }
}

extension StorefrontExperiment {
  /// The true effects of the variants of a test on the rate of its goal and on the reward of a visitor.
  fileprivate var effects: [Truth.Effect] {
    let names = slots[0].variants
    let rates = names.indices.map { chances[0][$0][0] }
    let means = names.indices.map { rates[$0] * keptShare(of: $0) * doubledCents(of: $0) }
    // Whole numbers, so that a lift is rounded once.
    let metrics = [("converted:goal=\(goal)", rates, 1e4), ("reward", means, 1e4 * 1e4 * 200)]
    return metrics.flatMap { metric, values, divisor in
      names.indices.map { index in
        Truth.Effect(
          metric: metric, variant: names[index], mean: Double(values[index]) / divisor,
          lift: index == 0 ? nil : Double(values[index] - values[0]) / Double(values[0]))
      }
    }
  }

  /// Returns the moments of the reward of a logged decision: visitors who are lost are not among them.
  fileprivate func loggedMoments(of variant: Int) -> Moments {
    let goals = chances[0][variant][0]
    let lost = losses.isEmpty ? 0 : losses[variant]
    let logged = 100_000_000 - (10_000 - goals) * lost
    let unrefunded = goals * 10_000 * keptShare(of: variant)
    let mean = Double(unrefunded * doubledCents(of: variant)) / Double(logged * 2_000_000)
    let meanSquare = Double(unrefunded) / Double(logged * 10_000) * squaredAmount(of: variant)
    return Moments(mean: mean, variance: meanSquare - mean * mean)
  }

  /// Returns the share of goals that are not refunded, in ten thousandths.
  private func keptShare(of variant: Int) -> Int { 10_000 - (refunds.isEmpty ? 0 : refunds[variant]) }

  /// Returns twice the mean value of a goal, in cents.
  private func doubledCents(of variant: Int) -> Int {
    guard case .cents(let ranges) = worth else { return 200 }
    return ranges[variant].lowerBound + ranges[variant].upperBound
  }

  /// Returns the mean square of the value of a goal.
  private func squaredAmount(of variant: Int) -> Double {
    guard case .cents(let ranges) = worth else { return 1 }
    return Self.amount(in: ranges[variant]).meanSquare
  }
}
