import Statistics

extension StorefrontGenerator {
  /// The random outcome of a decision.
  private struct Outcome {
    var first = 0
    var second = 0
    var isProvisional = false
    var isConfirmed = true
  }

  /// Plans a unit's visit to an experiment: it decides, unless it is excluded, or a decision is still pending.
  mutating func planExposure(of position: Int, to place: StorefrontExperiment.Place) {
    let index = place.rawValue
    let track = units.recent[position].tracks[index]
    let isTaken =
      clock.now <= track.busyUntil || (experiments[index].isSticky && track.isDecided)
    if isTaken || (track.counts && streams.experiments[index].oddities.happens(perMille: 15)) {
      if track.counts {
        planRepeated(of: position, in: index)
      } else {
        planVisitCount(of: position)
      }
      return
    }
    if streams.experiments[index].oddities.happens(perMille: experiments[index].excluded) {
      for slot in experiments[index].slots.indices {
        plan(
          templates.experiments[index].excluded[slot], for: position,
          contextDetail(of: position, in: index, slot: slot))
      }
      return
    }
    planDecision(of: position, in: index)
  }

  private mutating func planRepeated(of position: Int, in index: Int) {
    let track = units.recent[position].tracks[index]
    for slot in experiments[index].slots.indices {
      let variant = Int(slot == 0 ? track.first : track.second)
      var detail = contextDetail(of: position, in: index, slot: slot)
      if case .thompson = experiments[index].logger { detail = .propensity(track.propensity) }
      plan(templates.experiments[index].repeated[slot][variant], for: position, detail)
    }
  }

  private mutating func planDecision(of position: Int, in index: Int) {
    let track = units.recent[position].tracks[index]
    var outcome = choose(in: index)
    // A confirmation confirms all pending decisions of a unit, so one that is to stay unconfirmed is the last that the
    // unit makes provisionally.
    if !track.isHeld,
      streams.experiments[index].oddities.happens(perMille: experiments[index].provisional)
    {
      outcome.isProvisional = true
      outcome.isConfirmed = streams.experiments[index].oddities.happens(perMille: 800)
    }
    let places = templates.experiments[index]
    for slot in experiments[index].slots.indices {
      let variant = slot == 0 ? outcome.first : outcome.second
      let template =
        outcome.isProvisional ? places.provisional[slot][variant] : places.confirmed[slot][variant]
      var detail = contextDetail(of: position, in: index, slot: slot)
      if case .thompson = experiments[index].logger { detail = .adaptive(variant: variant) }
      plan(template, for: position, detail)
    }
    let busyUntil = planOutcome(outcome, of: position, in: index)
    var next = StorefrontUnit.Track(
      busyUntil: busyUntil, first: UInt8(outcome.first), second: UInt8(outcome.second),
      isDecided: true, isHeld: track.isHeld || !outcome.isConfirmed, counts: outcome.isConfirmed)
    if case .thompson = experiments[index].logger {
      next.propensity = thompson.probabilities[outcome.first]
    }
    units.recent[position].tracks[index] = next
  }

  private mutating func choose(in index: Int) -> Outcome {
    let experiment = experiments[index]
    var outcome = Outcome()
    switch experiment.logger {
    case .uniform:
      outcome.first = Draw.index(
        below: experiment.slots[0].variants.count, using: &streams.experiments[index].choices)
      if experiment.slots.count > 1 {
        outcome.second = Draw.index(
          below: experiment.slots[1].variants.count, using: &streams.experiments[index].choices)
      }
    case .weights(let tenths):
      var rest = Draw.index(below: 10, using: &streams.experiments[index].choices)
      while outcome.first < tenths.count - 1, rest >= tenths[outcome.first] {
        rest -= tenths[outcome.first]
        outcome.first += 1
      }
    case .thompson:
      outcome.first = thompson.choose(using: &streams.experiments[index].choices)
    }
    return outcome
  }

  /// Plans the events that follow a decision and returns the time from which the unit may decide again. That time is
  /// drawn whether or not there is a reward, so that unlucky decisions do not make room for others sooner.
  private mutating func planOutcome(
    _ outcome: Outcome, of position: Int, in index: Int
  ) -> Int64 {
    let places = templates.experiments[index]
    var moment = clock.now
    if outcome.isProvisional {
      moment += 1_000_000 + streams.experiments[index].oddities.delay() / 120
      if outcome.isConfirmed { plan(places.confirmation, for: position, at: moment) }
    }
    let goalTime = moment + streams.experiments[index].delays.delay()
    let lateness = streams.experiments[index].delays.lateness()
    if outcome.isConfirmed {
      planReward(of: outcome, for: position, in: index, at: goalTime, lateness: lateness)
    }
    if streams.experiments[index].oddities.happens(perMille: 8) {
      tallies.count(refusedGoalIn: index)
      let delay = streams.experiments[index].oddities.delay()
      let isSaid = if case .cents = experiments[index].worth { true } else { false }
      plan(
        places.refused, for: position, at: clock.now + delay,
        isSaid ? .value(cents: 1_999) : .plain)
    }
    return goalTime
  }

  private mutating func planReward(
    of outcome: Outcome, for position: Int, in index: Int, at time: Int64, lateness: Int64
  ) {
    let device = Int(units.recent[position].traits.device)
    let chance = experiments[index].chance(
      first: outcome.first, second: outcome.second, device: device)
    let isRewarded =
      Draw.index(below: 10_000, using: &streams.experiments[index].rewards) < chance
    tallies.count(
      decisionIn: index, first: outcome.first, second: outcome.second, device: device,
      isRewarded: isRewarded)
    var detail = PlannedEvent.Detail.plain
    if case .thompson = experiments[index].logger {
      thompson.count(decisionFor: outcome.first)
      detail = .click(variant: outcome.first)
    }
    guard isRewarded else { return }
    if case .cents(let ranges) = experiments[index].worth {
      let range = ranges[outcome.first]
      let cents =
        range.lowerBound
        + Draw.index(below: range.count, using: &streams.experiments[index].amounts)
      tallies.count(cents: cents, in: index, variant: outcome.first)
      detail = .value(cents: cents)
    }
    plan(
      templates.experiments[index].goal, for: position, at: time, lateness: lateness, detail)
  }

  private func contextDetail(
    of position: Int, in index: Int, slot: Int
  ) -> PlannedEvent.Detail {
    experiments[index].isContextual ? .context(position: position, prices: slot == 0) : .plain
  }
}
