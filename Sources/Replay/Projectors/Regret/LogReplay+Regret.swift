internal import EventLog
internal import Statistics

extension LogReplay {
  /// Returns the regret of a log in hindsight: for each decision, the mean reward of the best variant minus that of
  /// the chosen one, summed in the order of the decisions, for each experiment, point and slot, and each value of the
  /// dimension.
  ///
  /// Means are over the whole log, so this is the pseudo-regret of its decisions against the best fixed variant, as
  /// far as the log can tell (S. Bubeck and N. Cesa-Bianchi, "Regret analysis of stochastic and nonstochastic
  /// multi-armed bandit problems", 2012, section 1.2). Decisions are in order of event time, a provisional one at its
  /// confirmation; at equal times in the order of the hashes of their units' names, and within a unit in the order of
  /// its history. Late events and units in another order therefore give the same result.
  ///
  /// The log is read once, and the events of units are visited twice or more often: first to compute means and to
  /// count decisions in ranges of their order; then, only if too many decisions share a range that contains a row, for
  /// narrower ranges; then for what lies between the rows. In addition to that of ``RewardProjector``, memory is at
  /// most 64 KB for each place and thread, about 100 bytes for each of a million decisions around rows, and for
  /// intervals 40 bytes for each variant, replicate and thread, and 8 for each unit of the log.
  ///
  /// Intervals are those of the Poisson bootstrap over units (`PoissonBootstrap`): means vary, the decisions are
  /// fixed.
  ///
  /// - Parameters:
  ///   - selection: The part of the log to read.
  ///   - rules: How goals are credited and means are estimated.
  /// - Returns: A curve for every place with a counted decision.
  /// - Throws: `LogError` if a frame cannot be read or a temporary file fails.
  public func regret(
    _ selection: UnitSelection, _ rules: RegretRules = RegretRules()
  ) throws -> RegretCurves {
    try LogUnits(self, selection).regret(rules)
  }
}

extension UnitSource {
  /// Returns the regret of the units' decisions in hindsight, like that of a log: ``LogReplay/regret(_:_:)``.
  package func regret(_ rules: RegretRules = RegretRules()) throws -> RegretCurves {
    let units = try units(rules.needs)
    let survey = try show(units, to: RegretSurvey(rules: rules))
    var plan = RegretPlan(survey.orders)
    while let refinement = RegretRefinement(rules, plan) {
      plan.refine(try show(units, to: refinement))
    }
    let walk = try show(units, to: RegretWalk(rules: rules, plan: plan))
    return RegretCurves(
      curves: RegretCurves.curves(survey, walk, plan, units.context, rules),
      ledger: survey.units.ledger)
  }
}

extension RegretCurves {
  /// Assembles the curves of all places.
  static func curves(
    _ survey: RegretSurvey.State, _ walk: RegretWalk.State, _ plan: RegretPlan,
    _ context: UnitContext, _ rules: RegretRules
  ) -> [RegretCurve] {
    var segments: [[Int]] = Array(repeating: [], count: plan.places.count)
    for segment in 0..<survey.units.table.count {
      let (arm, value) = survey.units.table.segment(at: segment)
      if let place = plan.find(survey.units.place(of: arm), value) {
        segments[place].append(segment)
      }
    }
    let curves = segments.indices.compactMap {
      curve($0, segments[$0], survey, walk, plan, context, rules)
    }
    return curves.sorted { isBefore($0, $1) }
  }

  private static func curve(
    _ place: Int, _ segments: [Int], _ survey: RegretSurvey.State, _ walk: RegretWalk.State,
    _ plan: RegretPlan, _ context: UnitContext, _ rules: RegretRules
  ) -> RegretCurve? {
    let table = survey.units.table
    let variant = { context.arms[Int(table.segment(at: $0).subject)].variant }
    let segments = segments.sorted { variant($0) < variant($1) }
    guard let first = segments.first else { return nil }
    let value = table.segment(at: first).value
    let arms = segments.map { table.segment(at: $0).subject }
    let tallies = arms.map { survey.tally($0, value) }
    let rewards = segments.map { table.tallies[$0].perDecision }
    let estimate = RegretEstimate(tallies, plain: rewards.map(\.mean), rules)
    let number = survey.units.place(of: arms[0])
    let bounds =
      rules.hasIntervals
      ? RegretBounds(
        tallies, means: estimate.means, survey.places.find(number, value) ?? RegretPlaceTally(),
        rules) : nil
    var place = (
      arm: context.arms[Int(arms[0])], rows: walk.rows(place, of: plan, arms: arms, value)
    )
    place.arm.variant = 0
    for row in place.rows.indices {
      place.rows[row].regret = estimate.regret(place.rows[row].counts)
      place.rows[row].interval =
        place.rows[row].regret == nil ? nil : bounds?.interval(place.rows[row].counts)
    }
    let variants = segments.indices.map { index in
      RegretVariant(
        code: variant(segments[index]), decisions: rewards[index].count,
        withPropensity: rules.means == .plain ? nil : tallies[index].weighed,
        mean: estimate.means[index])
    }
    return RegretCurve(
      place: place.arm, value: context.values[Int(value)], variants: variants, rows: place.rows,
      propensitiesChange: tallies.contains { !$0.propensities.isConstant },
      isLessBetter: rules.sign < 0)
  }

  private static func isBefore(_ a: RegretCurve, _ b: RegretCurve) -> Bool {
    let (first, second) = (a.place, b.place)
    guard first == second else {
      return (first.experiment, first.point, first.slot)
        < (second.experiment, second.point, second.slot)
    }
    return a.value.isBefore(b.value)
  }
}
