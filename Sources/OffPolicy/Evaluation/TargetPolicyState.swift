internal import Replay
internal import Statistics

/// The state of one target policy in the last pass over the units.
struct TargetPolicyState: Sendable {
  /// A kind of decision as the estimators of the policy see it, without its reward.
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

  /// The groups of kept choices.
  private var members: DecisionWeights.KnownMembers = [:]
  /// The expected predictions of kept choices.
  private var expected: [ExpectedKey: Double] = [:]

  /// The key on which the mean prediction for the policy depends.
  private struct ExpectedKey: Hashable, Sendable {
    var choices: Int
    var situation: UInt32
    var model: Int
    var use: RewardModelUse
  }

  /// Computes what estimators see of the next kind of decision.
  ///
  /// - Parameters:
  ///   - row: A decision of the kind.
  ///   - chosen: The place of the chosen variant among the choices; nil if it is none of them.
  ///   - shared: The shared model's predictions for the choices.
  ///   - model: The number of the model, that of the fold.
  ///   - weights: The importance weights.
  mutating func learn(
    _ row: CreditedDecision, _ chosen: Int?, shared: [Double], model: Int,
    _ weights: inout DecisionWeights
  ) {
    var kind = Seen(choices: target.choices(of: row, modelled: shared, model: model))
    kind.chosen = chosen
    guard kind.choices.isKnown else { return seen.append(kind) }
    for input in tally.inputs {
      let predictions =
        switch input.model {
        case .none: [Double]()
        case .unweighted: shared
        case .varianceMinimizing: modelled
        }
      let weight =
        kind.choices.isRealized
        ? 1
        : input.weights == .logged
          ? nil : weights.weight(input.weights, row, kind.choices, chosen, &members)
      let expected =
        predictions.isEmpty ? 0 : expected(row, kind, predictions, model, input.model)
      kind.inputs.append(
        SeenDecision(
          target: kind.choices.probability(ofChosen: chosen), weight: weight,
          modelled: chosen.map { $0 < predictions.count ? predictions[$0] : 0 } ?? 0,
          expected: chosen == nil ? 0 : expected))
    }
    seen.append(kind)
  }

  /// Returns the mean prediction for the policy in a kind of decision.
  private mutating func expected(
    _ row: CreditedDecision, _ kind: Seen, _ predictions: [Double], _ model: Int, _ use: RewardModelUse
  ) -> Double {
    let choices = kind.choices
    guard predictions.count >= ChoiceLists.leastKept, let number = choices.number else {
      return choices.expected(predictions, kind.chosen)
    }
    let key = ExpectedKey(choices: number, situation: row.situation, model: model, use: use)
    if let known = expected[key] { return known }
    let value = choices.expected(predictions, kind.chosen)
    if expected.count < 1 << 16 { expected[key] = value }
    return value
  }

  /// Takes the decisions of a unit, in place of those of the most recent one.
  ///
  /// - Parameters:
  ///   - rows: The decisions.
  ///   - kinds: The number of the kind of each.
  ///   - times: The number of such units.
  mutating func take(_ rows: [CreditedDecision], kinds: [Int], times: Int) {
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
  mutating func addSlots(_ key: UInt64, _ rows: [CreditedDecision]) {
    tally.addSlots(unit, places: rows.map(\.place), key: key)
  }

  /// Adds the decisions of the current unit to their periods.
  mutating func add(_ rows: [CreditedDecision], _ periods: EvaluationPeriods) {
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
    // Decisions with the same choices and probabilities are added together.
    var alike: [Int: (choices: TargetProbabilities.Choices, place: UInt32, decisions: Int)] = [:]
    var realized: [UInt64: (choices: TargetProbabilities.Choices, place: UInt32, decisions: Int)] =
      [:]
    for (kind, count) in zip(seen, kinds.counts) {
      if kind.choices.isUnseen { tally.unseen += count.decisions }
      guard kind.choices.isKnown else {
        tally.undecided += count.decisions
        continue
      }
      let (row, times) = (count.row, count.decisions)
      let logged = source.loggedProbabilities(of: row)
      if logged == nil, kind.choices.isRealized {
        let list = source.list(of: row) ^ UInt64(row.place) << 40
        realized[list, default: (kind.choices, row.place, 0)].decisions += times
      } else if logged == nil, let number = kind.choices.number {
        alike[number, default: (kind.choices, row.place, 0)].decisions += times
      } else {
        tally.support.add(
          kind.choices, logged: logged, at: row.place, source.variants, times: times)
      }
      if kind.chosen != nil {
        tally.support.add(
          chosen: PlaceVariant(place: row.place, variant: row.variant),
          isRealized: kind.choices.isRealized, times: times)
      }
    }
    for group in Array(alike.values) + Array(realized.values) {
      tally.support.add(
        group.choices, logged: nil, at: group.place, source.variants, times: group.decisions)
    }
    seen.removeAll(keepingCapacity: true)
  }

  /// Adds the propensities of all decisions and their weights to the tally.
  private mutating func settleWeighted(_ kinds: DecisionKinds) {
    let cells = zip(seen, kinds.counts).map { kind, count in
      kind.chosen == nil || !kind.choices.isKnown
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
            ? 1 : kind.choices.probability(ofChosen: chosen) / weighted.propensity,
          to: cell, times: weighted.decisions)
      }
      if let decision = kind.inputs.first?.decision(propensity: weighted.propensity) {
        tally.add(weightOf: decision, times: weighted.rewarded)
      }
    }
  }
}

/// The decisions of a kind as estimators see them, without propensity, reward and time.
struct SeenDecision: Sendable {
  private let target: Double
  /// The importance weight, the same for all propensities; nil for that of the logged propensity.
  private let weight: Double?
  private let modelled: Double
  private let expected: Double

  /// Creates what is seen.
  ///
  /// - Parameters:
  ///   - target: The target policy's probability of the chosen variant.
  ///   - weight: The importance weight; nil for that of the logged propensity.
  ///   - modelled: The predicted reward of the chosen variant; 0 without a model.
  ///   - expected: The mean prediction for the target policy; 0 without a model.
  init(target: Double, weight: Double?, modelled: Double, expected: Double) {
    (self.target, self.weight) = (target, weight)
    (self.modelled, self.expected) = (modelled, expected)
  }

  /// Returns a decision without logging policy and time; nil if a number of it is not finite.
  @inline(__always)
  func decision(propensity: Double, reward: Double = 0) -> LoggedDecision? {
    if let weight {
      var decision = LoggedDecision(
        reward: reward, weight: weight, modelled: modelled, expected: expected)
      decision?.isDrawn = target > 0 && target < 1
      return decision
    }
    return LoggedDecision(
      reward: reward, propensity: propensity, target: target, modelled: modelled,
      expected: expected)
  }

  /// Returns a decision; nil if a number of it is not finite.
  @inline(__always)
  func decision(_ row: CreditedDecision) -> LoggedDecision? {
    guard var decision = decision(propensity: row.propensity, reward: row.reward) else {
      return nil
    }
    (decision.logger, decision.time) = (row.value, row.time)
    return decision
  }
}

extension TargetProbabilities.Choices {
  /// Returns the mean prediction for the policy; 0 unless there is one for each choice.
  func expected(_ predictions: [Double], _ chosen: Int?) -> Double {
    guard predictions.count == variants.count else { return 0 }
    if isRealized { return chosen.map { predictions[$0] } ?? 0 }
    var expected = 0.0
    for (probability, prediction) in zip(probabilities, predictions) where probability > 0 {
      expected += probability * prediction
    }
    return expected
  }
}
