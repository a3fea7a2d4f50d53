internal import DecidingCore
public import Events

extension ExperimentClient {
  /// Simulates a variation of a flag for a user: as ``setForcedVariation(_:in:for:forceTargeting:)`` with the
  /// flag's key, but no decision is logged or saved while the simulation lasts.
  ///
  /// - Parameters:
  ///   - variation: The variation's key; nil ends the simulation.
  ///   - flag: The flag's key.
  ///   - userID: The user's id.
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/notRecorded(_:)``.
  public func simulateVariation(
    _ variation: VariationID?, of flag: String, for userID: String
  ) throws(ExperimentError) {
    guard let variation = variation?.normalized else {
      return try setForcedVariation(nil, in: ExperimentID(flag), for: userID)
    }
    let unit = try unit(userID)
    let id = ExperimentID(flag)
    try recorder.perform { transaction throws(ExperimentError) in
      let isSimulated = transaction.state.simulatedOverrides[id]?[unit] == true
      guard !isSimulated || transaction.state.overrides.variant(for: unit, in: id) != variation
      else {
        return
      }
      let json: JSONValue = ["variant": .string(variation.rawValue), "simulated": true]
      let applied = ConfigurationApplied(
        system: ExperimentsState.system, experiment: id, reason: Overrides.forcing,
        changed: ["override"], configuration: json.jsonText)
      try append([transaction.event(unit, .configurationApplied(applied))], in: &transaction)
    }
  }
}
