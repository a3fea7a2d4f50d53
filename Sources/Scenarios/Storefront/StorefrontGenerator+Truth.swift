internal import Specifications
internal import Statistics

extension StorefrontGenerator {
  var truth: Truth {
    var counts = tallies.counts
    counts.units = units.arrived
    return Truth(
      scenario: Storefront.info.name, parameters: scenario.fullSpecification.parameters,
      events: events, seed: seed, counts: counts, experiments: experiments.indices.map { truth(ofExperiment: $0) },
      conversions: [
        Truth.Conversion(
          goal: "signup", conversions: tallies.signups, negative: 0, revenueSum: 0),
        Truth.Conversion(
          goal: "purchase", conversions: tallies.purchases, negative: tallies.returns,
          revenueSum: tallies.revenue.value),
      ])
  }

  private func truth(ofExperiment index: Int) -> Truth.Experiment {
    let experiment = experiments[index]
    let slots = experiment.slots.indices.map { truth(of: experiment, index, slot: $0) }
    let propensities = slots.flatMap { $0.variants.compactMap { $0.propensity } }
    return Truth.Experiment(
      experiment: experiment.name, about: experiment.about, goal: experiment.goal, policy: experiment.logger.policy,
      smallestPropensity: propensities.min() ?? Double(ThompsonLogger.floor) / 10_000,
      isSticky: experiment.isSticky, goals: tallies.goals[index],
      refusedGoals: tallies.refusedGoals[index], slots: slots)
  }

  private func truth(
    of experiment: StorefrontExperiment, _ index: Int, slot: Int
  ) -> Truth.Slot {
    let place = experiment.slots[slot]
    let variants = place.variants.indices.map { variant in
      let cell = tallies.slots[index][slot].cells[variant]
      let sum = if case .cents = experiment.worth { cell.sum.value } else { Double(cell.rewards) }
      return self.variant(
        variant, of: experiment, slot: slot, device: nil, decisions: cell.decisions,
        rewards: cell.rewards, sum: sum)
    }
    let devices = experiment.isContextual ? Array(UnitTraits.devices.indices) : []
    return Truth.Slot(
      point: place.point, slot: place.slot, bestVariant: Self.best(of: variants),
      variants: variants,
      contexts: devices.map { context(of: experiment, index, slot: slot, device: $0) })
  }

  private func context(
    of experiment: StorefrontExperiment, _ index: Int, slot: Int, device: Int
  ) -> Truth.Context {
    let variants = experiment.slots[slot].variants.indices.map { variant in
      let cell = tallies.slots[index][slot].byDevice[variant][device]
      return self.variant(
        variant, of: experiment, slot: slot, device: device, decisions: cell.decisions,
        rewards: cell.rewards, sum: Double(cell.rewards))
    }
    let (name, percent) = UnitTraits.devices[device]
    return Truth.Context(
      attribute: "device", value: name, share: Double(percent) / 100,
      bestVariant: Self.best(of: variants), variants: variants)
  }

  private func variant(
    _ variant: Int, of experiment: StorefrontExperiment, slot: Int, device: Int?, decisions: Int,
    rewards: Int, sum: Double
  ) -> Truth.Variant {
    let moments = experiment.moments(of: variant, in: slot, device: device)
    return Truth.Variant(
      variant: experiment.slots[slot].variants[variant],
      propensity: experiment.propensity(of: variant, in: slot), rewardMean: moments.mean,
      rewardVariance: moments.variance, decisions: decisions, rewards: rewards, rewardSum: sum)
  }

  private static func best(of variants: [Truth.Variant]) -> String {
    var best = variants.first
    for variant in variants where variant.rewardMean > best?.rewardMean ?? 0 { best = variant }
    return best?.variant ?? ""
  }
}
