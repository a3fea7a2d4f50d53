internal import DecidingCore
internal import Events

/// The verdict of the rules on a call, before anything is drawn or recorded.
enum RolloutVerdict {
  /// The default, with the reason, which also determines whether the saved draw is discarded.
  case standard(Reason)
  /// The choice is forced for the unit.
  case forced(Int)
  /// The saved variant, with the reason.
  case kept(Int, Reason)
  /// The saved number now leads to another variant than the saved one.
  case reallocated(Int)
  /// A number must be drawn.
  case draw
}

/// The parameters of a call.
struct RolloutCall {
  let experiment: ExperimentID
  let standard: String

  /// The default as it is logged: without the prefix of the experiment's name and `_`.
  var loggedStandard: VariantID {
    let prefix = experiment.rawValue.utf8.count + 1
    let utf8 = standard.utf8
    guard utf8.count > prefix, utf8.starts(with: experiment.rawValue.utf8),
      utf8[utf8.index(utf8.startIndex, offsetBy: prefix - 1)] == UInt8(ascii: "_")
    else { return VariantID(standard) }
    return VariantID(String(Substring(utf8.dropFirst(prefix))))
  }
}

extension Rollouts {
  /// Returns the value for the unit in the experiment, as ``result(experiment:default:conditions:)`` does.
  public func variant(
    experiment: String?, default standard: String, conditions: (() -> Bool)? = nil
  ) -> String {
    result(experiment: experiment, default: standard, conditions: conditions).value
  }

  /// Returns the result for the unit in the experiment, with the reason.
  ///
  /// The conditions are evaluated once, outside of any lock, if the experiment exists and nothing with
  /// precedence determines the result: an override, a holdout, a group or a schedule. If the configuration
  /// changes meanwhile, the latest one is used with their result.
  ///
  /// When the sink does not accept the events, the result is the default with the reason `not-recorded`, and
  /// nothing is saved.
  ///
  /// - Complexity: O(number of variants) to look up a number, O(1) for a sticky variant.
  public func result(
    experiment: String?, default standard: String, conditions: (() -> Bool)? = nil
  ) -> RolloutResult {
    guard let experiment, !experiment.isEmpty else {
      return Self.standard(standard, plan == nil ? .noConfiguration : .unknownExperiment, nil)
    }
    let call = RolloutCall(experiment: ExperimentID(experiment), standard: standard)
    guard let conditions else {
      return recorder.perform { answer(call, conditionsHold: true, &$0) }
    }
    let settled = recorder.perform { transaction -> RolloutResult? in
      asksConditions(call, transaction) ? nil : answer(call, conditionsHold: true, &transaction)
    }
    if let settled { return settled }
    let conditionsHold = conditions()
    return recorder.perform { answer(call, conditionsHold: conditionsHold, &$0) }
  }

  /// Returns the result that the unit would get: nothing is drawn, saved or appended.
  public func preview(
    experiment: String?, default standard: String, conditions: (() -> Bool)? = nil
  ) -> RolloutPreview {
    guard let experiment, !experiment.isEmpty else {
      return .answer(result(experiment: nil, default: standard))
    }
    let call = RolloutCall(experiment: ExperimentID(experiment), standard: standard)
    var conditionsHold = true
    if let conditions, recorder.perform({ asksConditions(call, $0) }) {
      conditionsHold = conditions()
    }
    return recorder.perform { preview(call, conditionsHold: conditionsHold, $0) }
  }
}

// MARK: - The rules

extension Rollouts {
  /// Returns whether the result depends on the conditions.
  private func asksConditions(_ call: RolloutCall, _ transaction: Transaction<RolloutsState>)
    -> Bool
  {
    guard let entry = plan?.entries[call.experiment] else { return false }
    let forced = transaction.state.overrides.variant(for: unit, in: call.experiment)
    return entry.index(of: forced) == nil && entry.refusal(at: transaction.now) == nil
  }

  private func verdict(
    _ call: RolloutCall, _ entry: RolloutPlan.Entry, _ saved: RolloutsState.Draw?,
    conditionsHold: Bool, _ transaction: borrowing Transaction<RolloutsState>
  ) -> RolloutVerdict {
    let forced = transaction.state.overrides.variant(for: unit, in: call.experiment)
    if let index = entry.index(of: forced) { return .forced(index) }
    if let refusal = entry.refusal(at: transaction.now) { return .standard(refusal) }
    guard conditionsHold else { return .standard(.conditions) }
    if let filter = entry.filter { return .standard(filter) }
    if entry.isSticky, let index = entry.index(of: saved?.variant) { return .kept(index, .sticky) }
    guard entry.propensities != nil else { return .standard(.noDrawableVariant) }
    guard let number = saved?.number, let index = entry.index(of: number) else { return .draw }
    return entry.choices[index] == saved?.variant
      ? .kept(index, .savedNumber) : .reallocated(index)
  }

  private func answer(
    _ call: RolloutCall, conditionsHold: Bool, _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    let saved = transaction.state.draw(of: unit, in: call.experiment)
    let plan = plan
    guard let entry = plan?.entries[call.experiment] else {
      let reason: Reason = plan == nil ? .noConfiguration : .unknownExperiment
      return standard(call, reason, saved, &transaction)
    }
    let verdict = verdict(call, entry, saved, conditionsHold: conditionsHold, transaction)
    switch verdict {
    case .standard(let reason): return standard(call, reason, saved, &transaction)
    case .forced(let index): return forced(call, entry, index, saved, &transaction)
    case .kept(let index, let reason): return kept(call, entry, index, reason, saved, &transaction)
    case .reallocated(let index):
      let result = Self.drawn(entry, index, .reallocated, number: saved?.number)
      return record([decision(call, entry, result)], result, call, &transaction)
    case .draw: return draw(call, entry, &transaction)
    }
  }

  private func preview(
    _ call: RolloutCall, conditionsHold: Bool, _ transaction: Transaction<RolloutsState>
  ) -> RolloutPreview {
    let saved = transaction.state.draw(of: unit, in: call.experiment)
    guard let plan else {
      return .answer(Self.standard(call.standard, .noConfiguration, .excluded))
    }
    guard let entry = plan.entries[call.experiment] else {
      return .answer(Self.standard(call.standard, .unknownExperiment, .excluded))
    }
    switch verdict(call, entry, saved, conditionsHold: conditionsHold, transaction) {
    case .standard(let reason): return .answer(Self.standard(call.standard, reason, .excluded))
    case .forced(let index): return .answer(Self.forced(entry, index, saved))
    case .kept(let index, let reason): return .answer(Self.kept(entry, index, reason, saved))
    case .reallocated(let index):
      return .answer(Self.drawn(entry, index, .reallocated, number: saved?.number))
    case .draw:
      guard let number = hashedNumber(for: call.experiment), let index = entry.index(of: number)
      else { return .draw(variants: entry.choices, probabilities: entry.propensities ?? []) }
      return .answer(Self.drawn(entry, index, .hash, number: number))
    }
  }
}

// MARK: - Answers and their recording

extension Rollouts {
  private func draw(
    _ call: RolloutCall, _ entry: RolloutPlan.Entry, _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    let hashed = hashedNumber(for: call.experiment)
    let number = hashed ?? Self.number(transaction.random.next())
    guard let index = entry.index(of: number) else {
      return Self.standard(call.standard, .noDrawableVariant, .excluded)
    }
    let result = Self.drawn(entry, index, hashed == nil ? .random : .hash, number: number)
    let point = DataPoint(
      kind: RolloutsState.drawKind, key: call.experiment.rawValue, value: .number(number))
    return record([.dataPoint(point), decision(call, entry, result)], result, call, &transaction)
  }

  private func kept(
    _ call: RolloutCall, _ entry: RolloutPlan.Entry, _ index: Int, _ reason: Reason,
    _ saved: RolloutsState.Draw?, _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    let result = Self.kept(entry, index, reason, saved)
    let isUnchanged = saved?.last?.reason == nil && saved?.last?.variant == entry.choices[index]
    guard exposures == .all || exposures == .changes && !isUnchanged else { return result }
    return record([decision(call, entry, result)], result, call, &transaction)
  }

  private func forced(
    _ call: RolloutCall, _ entry: RolloutPlan.Entry, _ index: Int, _ saved: RolloutsState.Draw?,
    _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    let result = Self.forced(entry, index, saved)
    guard exposures == .all || exposures == .changes && result.status == .confirmed else {
      return result
    }
    return record([decision(call, entry, result)], result, call, &transaction)
  }

  private func standard(
    _ call: RolloutCall, _ reason: Reason, _ saved: RolloutsState.Draw?,
    _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    let result = Self.standard(call.standard, reason, .excluded)
    var payloads: [Payload] = []
    if saved?.isDrawn == true, RolloutsState.removals.contains(reason) {
      payloads.append(
        .assignmentRemoved(
          AssignmentRemoved(experiment: call.experiment, reason: reason.rawValue)))
    }
    let outcome = RolloutsState.Outcome(variant: call.loggedStandard, reason: reason.rawValue)
    // A decision needs a variant with a name: a default without one is not logged.
    if exposures != .draws, saved?.last != outcome, !outcome.variant.rawValue.isEmpty {
      payloads.append(
        .decision(
          Decision(
            experiment: call.experiment, variant: outcome.variant, policy: RolloutsState.policy,
            reason: reason.rawValue, status: .excluded)))
    }
    return payloads.isEmpty ? result : record(payloads, result, call, &transaction)
  }

  private func decision(
    _ call: RolloutCall, _ entry: RolloutPlan.Entry, _ result: RolloutResult
  ) -> Payload {
    .decision(
      Decision(
        experiment: call.experiment, variant: result.variant ?? "", choices: entry.choices,
        propensity: result.propensity, policy: result.policy, reason: result.reason.rawValue,
        status: result.status))
  }

  private func record(
    _ payloads: [Payload], _ result: RolloutResult, _ call: RolloutCall,
    _ transaction: inout Transaction<RolloutsState>
  ) -> RolloutResult {
    do throws(NotRecorded) {
      try transaction.record(payloads.map { transaction.event(unit, $0) })
      return result
    } catch {
      var result = Self.standard(call.standard, .notRecorded, nil)
      result.error = .notRecorded(error.reason)
      return result
    }
  }
}

extension Rollouts {
  private static func standard(_ value: String, _ reason: Reason, _ status: EventStatus?)
    -> RolloutResult
  {
    RolloutResult(value: value, reason: reason, status: status)
  }

  private static func drawn(
    _ entry: RolloutPlan.Entry, _ index: Int, _ reason: Reason, number: Double?
  ) -> RolloutResult {
    RolloutResult(
      value: entry.answers[index], variant: entry.choices[index], reason: reason, number: number,
      propensity: entry.propensities?[index], status: .confirmed, policy: RolloutsState.policy)
  }

  private static func kept(
    _ entry: RolloutPlan.Entry, _ index: Int, _ reason: Reason, _ saved: RolloutsState.Draw?
  ) -> RolloutResult {
    RolloutResult(
      value: entry.answers[index], variant: entry.choices[index], reason: reason,
      number: saved?.number, propensity: saved?.propensity, status: .repeated,
      policy: RolloutsState.policy)
  }

  private static func forced(
    _ entry: RolloutPlan.Entry, _ index: Int, _ saved: RolloutsState.Draw?
  ) -> RolloutResult {
    let outcome = RolloutsState.Outcome(
      variant: entry.choices[index], reason: Reason.forced.rawValue)
    return RolloutResult(
      value: entry.answers[index], variant: entry.choices[index], reason: .forced, propensity: 1,
      status: saved?.last == outcome ? .repeated : .confirmed, policy: RolloutsState.policy)
  }

  /// Returns the number of a word from the random generator, in 0.000001 ... 1.
  static func number(_ word: UInt64) -> Double { Double(word % 1_000_000 + 1) / 1_000_000 }

  /// Returns the number of the unit's hash; nil when numbers are drawn.
  private func hashedNumber(for experiment: ExperimentID) -> Double? {
    guard case .hashed(let salt) = numbers else { return nil }
    let fraction = UnitHash(unit.rawValue, experiment.rawValue, salt).fraction
    return ((fraction * 1_000_000).rounded(.down) + 1) / 1_000_000
  }
}
