internal import DecidingCore
public import Events

extension Rollouts {
  /// Discards the saved number and variant, so that the unit is drawn again.
  ///
  /// - Returns: Whether a saved draw was discarded; also false when the sink does not accept the event.
  @discardableResult
  public func removeExperimentDraw(_ experiment: String) -> Bool {
    let experiment = ExperimentID(experiment)
    return recorder.perform { transaction in
      guard transaction.state.draw(of: unit, in: experiment)?.isDrawn == true else { return false }
      let removed = AssignmentRemoved(experiment: experiment, reason: RolloutsState.requested)
      do throws(NotRecorded) {
        try transaction.record([transaction.event(unit, .assignmentRemoved(removed))])
        return true
      } catch {
        return false
      }
    }
  }

  /// Imports the draw that RolloutManager stored for an experiment.
  ///
  /// These keys are read, and any can be missing: `EXPERIMENT_ExperimentResult`, a text from which one
  /// leading `EXPERIMENT_` is removed; `EXPERIMENT_ExperimentRandomNumber`, from 0 to 1; and if both are
  /// missing `EXPERIMENT_ExperimentNumberKey`, an integer number of hundredths. A number replaces the saved
  /// draw. If all are missing, nothing happens.
  ///
  /// - Throws: ``RolloutError`` when a value cannot be read, the name is empty, or the sink does not accept
  ///   the events.
  public func importDraw(_ experiment: String, from stored: [String: JSONValue])
    throws(RolloutError)
  {
    guard !experiment.isEmpty else { throw .emptyName(path: "importDraw") }
    let draw = try StoredDraw(experiment, stored)
    var payloads: [Payload] = []
    if let number = draw.number {
      payloads.append(
        .dataPoint(
          DataPoint(kind: RolloutsState.drawKind, key: experiment, value: .number(number))))
    }
    if let variant = draw.variant {
      payloads.append(
        .decision(
          Decision(
            experiment: ExperimentID(experiment), variant: variant, policy: RolloutsState.policy,
            reason: Reason.imported.rawValue, status: .confirmed)))
    }
    do {
      try recorder.perform { transaction throws(NotRecorded) in
        try transaction.record(payloads.map { transaction.event(unit, $0) })
      }
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}

/// A draw as stored by RolloutManager.
private struct StoredDraw {
  private(set) var number: Double?
  private(set) var variant: VariantID?

  init(_ experiment: String, _ stored: [String: JSONValue]) throws(RolloutError) {
    func value(_ key: String) -> (key: String, json: JSONValue)? {
      let key = "\(experiment)_\(key)"
      guard let json = stored[key], json != .null else { return nil }
      return (key, json)
    }
    let result = value("ExperimentResult")
    let random = value("ExperimentRandomNumber")
    if let (key, json) = result { variant = try Self.variant(json, of: experiment, key) }
    if let (key, json) = random {
      number = try Self.number(json.number, key, "a number from 0 to 1")
    }
    if result == nil, random == nil, let (key, json) = value("ExperimentNumberKey") {
      number = try Self.number(
        json.integer.map { Double($0) / 100 }, key, "a whole number from 0 to 100")
    }
  }

  private static func variant(_ json: JSONValue, of experiment: String, _ key: String)
    throws(RolloutError) -> VariantID
  {
    guard let text = json.string else {
      throw .invalidStoredDraw("\(key) must be a text, not \(json.kindName)")
    }
    let isPrefixed = text.utf8.starts(with: "\(experiment)_".utf8)
    let name = Substring(text.utf8.dropFirst(isPrefixed ? experiment.utf8.count + 1 : 0))
    guard !name.isEmpty else {
      throw .invalidStoredDraw("\(key) names no variant; leave the key out")
    }
    return VariantID(String(name))
  }

  private static func number(_ number: Double?, _ key: String, _ expected: String)
    throws(RolloutError) -> Double
  {
    guard let number, number >= 0, number <= 1 else {
      throw .invalidStoredDraw("\(key) must be \(expected); leave the key out if it is unknown")
    }
    return number
  }
}
