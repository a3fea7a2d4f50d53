internal import Events

/// What a configuration says beside its experiments, read once when it is applied: segments, flags, consent.
///
/// It follows from the configuration, so the state neither stores nor compares it.
struct ConfigurationParts: Sendable {
  /// Reads the parts.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)``, which refuses the whole configuration.
  init(_ configuration: ExperimentConfiguration) throws(ExperimentError) {}

  /// Whether the visitor meets the targeting of an experiment; an experiment without one is for everybody.
  func isTargeted(_ experiment: Experiment, _ facts: VisitorFacts) -> Bool { true }
}
