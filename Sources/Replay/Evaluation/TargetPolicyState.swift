internal import Statistics

/// The state of one target policy in the last pass over the units.
struct TargetPolicyState: Sendable {
  /// What the estimators of the policy see of a kind of decision, but for its reward.
  private struct Seen: Sendable {
    /// The choices with the policy's probabilities; without any if the policy does not say.
    var choices: TargetProbabilities.Choices
    /// For each input a decision without reward; nil if a weight or a prediction is not finite.
    var decisions: [LoggedDecision?] = []
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
      kind.decisions.append(kind.choices.decision(row, predictions, weight: weight))
    }
    seen.append(kind)
  }

  /// Takes the decisions of a unit, in place of those of the most recent one.
  ///
  /// - Parameters:
  ///   - rows: The decisions.
  ///   - kinds: The number of the kind of each.
  mutating func take(_ rows: [EvaluationRow], kinds: [Int]) {
    unit.removeAll(inputs: tally.inputs.count)
    for index in rows.indices {
      let kind = kinds[index]
      for input in seen[kind].decisions.indices {
        if var decision = seen[kind].decisions[input]?.rewarded(rows[index].reward) {
          decision.time = rows[index].time
          unit.append(decision, row: index, to: input)
        } else {
          tally.notFinite += 1
        }
      }
    }
    // Estimators of whole decisions do not see incomplete ones.
    for (place, input) in tally.inputs.enumerated() where input.isWhole {
      unit.keepWhole(place, of: rows)
    }
  }

  /// Adds the decisions of the current unit to the tally.
  mutating func endUnit(_ key: UInt64) { tally.add(unit, key: key) }

  /// Adds the decisions of the current unit to their slots.
  mutating func addSlots(_ key: UInt64, _ rows: [EvaluationRow]) {
    tally.addSlots(unit, places: rows.map(\.place), key: key)
  }

  /// Adds the decisions of the current unit to their periods.
  mutating func add(_ rows: [EvaluationRow], _ periods: EvaluationPeriods) {
    tally.add(unit, times: rows.map(\.time), periods)
  }

  /// Adds the counts of all kinds of decisions to the tally, and forgets the kinds.
  mutating func settle(_ kinds: DecisionKinds, _ source: EvaluationSource) {
    for (kind, count) in zip(seen, kinds.counts) {
      guard !kind.choices.probabilities.isEmpty else {
        tally.undecided += count.decisions
        continue
      }
      tally.support.add(
        kind.choices, logged: source.loggedProbabilities(of: count.row), count.row,
        source.variants, times: count.decisions)
      if let decision = kind.decisions.first ?? nil {
        tally.add(weightOf: decision, times: count.rewarded)
      }
    }
    seen.removeAll(keepingCapacity: true)
  }
}

extension TargetProbabilities.Choices {
  /// Returns a decision without reward as estimators see it; nil if a weight or a prediction is not finite.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - predictions: The predicted reward of each choice; empty without a model.
  ///   - weight: The importance weight; nil for that of the logged propensity.
  /// - Returns: The decision.
  func decision(
    _ row: EvaluationRow, _ predictions: [Double], weight: Double?
  ) -> LoggedDecision? {
    let chosen = variants.firstIndex(of: row.variant)
    let target = chosen.map { probabilities[$0] } ?? 0
    var (modelled, expected) = (0.0, 0.0)
    if predictions.count == variants.count, let chosen {
      modelled = predictions[chosen]
      for (probability, prediction) in zip(probabilities, predictions) where probability > 0 {
        expected += probability * prediction
      }
    }
    var decision =
      if let weight {
        LoggedDecision(
          reward: 0, weight: weight, modelled: modelled, expected: expected)
      } else {
        LoggedDecision(
          reward: 0, propensity: row.propensity, target: target, modelled: modelled,
          expected: expected)
      }
    decision?.logger = row.logger
    return decision
  }
}
