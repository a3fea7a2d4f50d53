internal import Statistics

/// The state of one target policy in the last pass over the units.
struct TargetPolicyState: Sendable {
  /// What the estimators of the policy see of a kind of decision, but for its reward.
  private struct Seen: Sendable {
    /// The choices with the policy's probabilities; without any if the policy does not say.
    var choices: TargetProbabilities.Choices
    /// For each input what its estimators see.
    var inputs: [SeenDecision] = []
    /// The place of the chosen variant among the choices; nil if it is none of them.
    var chosen: Int?
  }

  var target: TargetProbabilities
  var tally: PolicyTally
  /// The decisions of the unit.
  private(set) var unit = UnitDecisions()
  /// The predictions of the policy's own model for the choices of a kind of decision.
  var modelled: [Double] = []
  /// By number of the kind.
  private var seen: [Seen] = []

  init(target: TargetProbabilities, tally: PolicyTally) {
    (self.target, self.tally) = (target, tally)
  }

  /// Computes what estimators see of the next kind of decision.
  ///
  /// - Parameters:
  ///   - row: A decision of the kind.
  ///   - shared: The shared model's predictions for the choices.
  ///   - weights: The importance weights.
  mutating func learn(
    _ row: EvaluationRow, shared: [Double], _ weights: inout DecisionWeights
  ) {
    var kind = Seen(choices: target.choices(of: row, modelled: shared))
    kind.chosen = kind.choices.variants.firstIndex(of: row.variant)
    if kind.choices.probabilities.isEmpty { return seen.append(kind) }
    for input in tally.inputs {
      let predictions =
        switch input.model {
        case .none: [Double]()
        case .unweighted: shared
        case .varianceMinimizing: modelled
        }
      let weight =
        kind.choices.isRealized
        ? 1 : input.weights == .logged ? nil : weights.weight(input.weights, row, kind.choices)
      kind.inputs.append(SeenDecision(kind.choices, kind.chosen, predictions, weight: weight))
    }
    seen.append(kind)
  }

  /// Takes the decisions of a unit, in place of those of the most recent one.
  ///
  /// - Parameters:
  ///   - rows: The decisions.
  ///   - kinds: The number of the kind of each.
  ///   - times: The number of such units.
  mutating func take(_ rows: [EvaluationRow], kinds: [Int], times: Int) {
    unit.removeAll(inputs: tally.inputs.count)
    for index in rows.indices {
      let kind = kinds[index]
      for input in seen[kind].inputs.indices {
        if let decision = seen[kind].inputs[input].decision(rows[index]) {
          unit.append(decision, row: index, to: input)
        } else {
          tally.notFinite += times
        }
      }
    }
    // Estimators of whole decisions do not see incomplete ones.
    for (place, input) in tally.inputs.enumerated() where input.isWhole {
      unit.keepWhole(place, of: rows)
    }
  }

  /// Adds the decisions of the current unit to the tally, or of a number of such units with one decision.
  mutating func endUnit(_ key: UInt64, times: Int) { tally.add(unit, key: key, times: times) }

  /// Adds the decisions of the current unit to their slots.
  mutating func addSlots(_ key: UInt64, _ rows: [EvaluationRow]) {
    tally.addSlots(unit, places: rows.map(\.place), key: key)
  }

  /// Adds the decisions of the current unit to their periods.
  mutating func add(_ rows: [EvaluationRow], _ periods: EvaluationPeriods) {
    tally.add(unit, times: rows.map(\.time), periods)
  }

  /// Adds the counts of all kinds of decisions to the tally.
  ///
  /// - Parameters:
  ///   - kinds: The counts.
  ///   - source: The log.
  ///   - keepsKinds: Whether the kinds are kept, and only propensities added.
  mutating func settle(
    _ kinds: DecisionKinds, _ source: EvaluationSource, keepingKinds keepsKinds: Bool
  ) {
    settleWeighted(kinds)
    guard !keepsKinds else { return }
    for (kind, count) in zip(seen, kinds.counts) {
      guard !kind.choices.probabilities.isEmpty else {
        tally.undecided += count.decisions
        continue
      }
      tally.support.add(
        kind.choices, logged: source.loggedProbabilities(of: count.row), count.row,
        source.variants, times: count.decisions)
    }
    seen.removeAll(keepingCapacity: true)
  }

  /// Adds the propensities of all decisions and their weights to the tally.
  private mutating func settleWeighted(_ kinds: DecisionKinds) {
    let cells = zip(seen, kinds.counts).map { kind, count in
      kind.chosen == nil || kind.choices.probabilities.isEmpty
        ? nil
        : tally.support.cell(
          PlaceVariant(place: count.row.place, variant: count.row.variant))
    }
    for weighted in kinds.weighted {
      let kind = seen[weighted.kind]
      if let cell = cells[weighted.kind], let chosen = kind.chosen {
        tally.support.add(
          propensity: weighted.propensity,
          weight: kind.choices.isRealized
            ? 1 : kind.choices.probabilities[chosen] / weighted.propensity,
          to: cell, times: weighted.decisions)
      }
      if let decision = kind.inputs.first?.decision(propensity: weighted.propensity) {
        tally.add(weightOf: decision, times: weighted.rewarded)
      }
    }
  }
}

/// What estimators see of the decisions of a kind, but for their propensity, reward and time.
struct SeenDecision: Sendable {
  private let target: Double
  /// The importance weight, the same for all propensities; nil for that of the logged propensity.
  private let weight: Double?
  private let modelled: Double
  private let expected: Double

  /// Creates what is seen.
  ///
  /// - Parameters:
  ///   - choices: The choices with the probabilities of the target policy.
  ///   - chosen: The place of the chosen variant among them; nil if it is none of them.
  ///   - predictions: The predicted reward of each choice; empty without a model.
  ///   - weight: The importance weight; nil for that of the logged propensity.
  init(
    _ choices: TargetProbabilities.Choices, _ chosen: Int?, _ predictions: [Double],
    weight: Double?
  ) {
    self.weight = weight
    target = chosen.map { choices.probabilities[$0] } ?? 0
    var (modelled, expected) = (0.0, 0.0)
    if predictions.count == choices.variants.count, let chosen {
      modelled = predictions[chosen]
      for (probability, prediction) in zip(choices.probabilities, predictions)
      where probability > 0 { expected += probability * prediction }
    }
    (self.modelled, self.expected) = (modelled, expected)
  }

  /// Returns a decision without logging policy and time; nil if a number of it is not finite.
  @inline(__always)
  func decision(propensity: Double, reward: Double = 0) -> LoggedDecision? {
    if let weight {
      return LoggedDecision(
        reward: reward, weight: weight, modelled: modelled, expected: expected)
    }
    return LoggedDecision(
      reward: reward, propensity: propensity, target: target, modelled: modelled,
      expected: expected)
  }

  /// Returns a decision; nil if a number of it is not finite.
  @inline(__always)
  func decision(_ row: EvaluationRow) -> LoggedDecision? {
    guard var decision = decision(propensity: row.propensity, reward: row.reward) else {
      return nil
    }
    (decision.logger, decision.time) = (row.logger, row.time)
    return decision
  }
}

extension TargetProbabilities.Choices {
  /// Returns a decision without reward and time as estimators see it; nil if a weight or a prediction is not finite.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - predictions: The predicted reward of each choice; empty without a model.
  ///   - weight: The importance weight; nil for that of the logged propensity.
  /// - Returns: The decision.
  func decision(
    _ row: EvaluationRow, _ predictions: [Double], weight: Double?
  ) -> LoggedDecision? {
    var decision = SeenDecision(
      self, variants.firstIndex(of: row.variant), predictions, weight: weight
    ).decision(propensity: row.propensity)
    decision?.logger = row.logger
    return decision
  }
}
