package import Events

/// Which variants are forced upon which units: a projection of `configurationApplied` events with the
/// reasons `forced` and `unforced`.
///
/// The event's unit and experiment say for whom and where; its configuration is `{"variant":"b"}`, `null` when
/// the override ends.
package struct Overrides: Hashable, Sendable, Codable {
  /// The reason of the event that forces a variant.
  package static let forcing = "forced"
  /// The reason of the event that ends an override.
  package static let ending = "unforced"

  private var variants: [ExperimentID: [UnitID: VariantID]] = [:]

  /// No overrides.
  package init() {}

  /// The variant that is forced upon the unit; nil when none is.
  package func variant(for unit: UnitID, in experiment: ExperimentID) -> VariantID? {
    variants.isEmpty ? nil : variants[experiment]?[unit]
  }

  /// Takes an event of the system into account, and says whether it was about an override.
  package mutating func apply(_ event: Event, system: SystemID) -> Bool {
    guard case .configurationApplied(let applied) = event.payload, applied.system == system,
      let experiment = applied.experiment,
      applied.reason == Self.forcing || applied.reason == Self.ending
    else { return false }
    let isForced = applied.reason == Self.forcing
    let json = isForced ? applied.configuration.flatMap { try? JSONValue(parsing: $0.text) } : nil
    if let variant = json?["variant"]?.string {
      variants[experiment, default: [:]][event.unit] = VariantID(variant)
    } else if !isForced {
      variants[experiment]?[event.unit] = nil
      if variants[experiment]?.isEmpty == true { variants[experiment] = nil }
    }
    return true
  }

  /// What an event says that forces a variant, or ends an override when it is nil.
  package static func payload(_ variant: VariantID?, in experiment: ExperimentID, system: SystemID)
    -> Payload
  {
    let json: JSONValue = variant.map { ["variant": .string($0.rawValue)] } ?? .null
    return .configurationApplied(
      ConfigurationApplied(
        system: system, experiment: experiment, reason: variant == nil ? ending : forcing,
        changed: ["override"], configuration: json.jsonText))
  }
}
