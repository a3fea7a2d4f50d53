package import Events

/// The overrides, variants forced for units: a projection of `configurationApplied` events with the reasons
/// `forced` and `unforced`.
///
/// The event's unit and experiment are those of the override; its configuration is `{"variant":"b"}`, or
/// `null` to remove the override.
package struct Overrides: Hashable, Sendable, Codable {
  /// The reason of an event that adds an override.
  package static let forcing = "forced"
  /// The reason of an event that removes an override.
  package static let ending = "unforced"

  private var variants: [ExperimentID: [UnitID: VariantID]] = [:]

  /// Creates an empty set of overrides.
  package init() {}

  /// Returns the variant forced for the unit; nil when there is none.
  package func variant(for unit: UnitID, in experiment: ExperimentID) -> VariantID? {
    variants.isEmpty ? nil : variants[experiment]?[unit]
  }

  /// Applies an event of the system, and returns whether it concerned an override.
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

  /// Returns the payload that forces a variant, or removes the override when it is nil.
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
