import Events

/// The event `Experiment Viewed` of Segment's specification, which other systems send too.
///
/// Its properties are `experiment_id`, `experiment_name`, `variation_id` and `variation_name`. Customer.io writes
/// `variant_id`, and GrowthBook's examples have `experimentId` and `variationId`.
extension FieldTree {
  /// Returns whether a field has the name of the event, as libraries send it or as tables are called.
  func isExperimentViewed(_ name: Field?) -> Bool {
    text(name, is: "Experiment Viewed") || text(name, is: "experiment_viewed")
      || text(name, is: "Viewed Experiment") || text(name, is: "viewed_experiment")
  }

  /// Sets the experiment and the variant of a decision from the event's properties.
  ///
  /// - Parameters:
  ///   - event: The decision.
  ///   - properties: The object with the properties; nil for the root.
  /// - Throws: ``Rejection`` `event` if either is missing.
  mutating func setExperimentViewed(
    of event: inout EventRecord, in properties: Field? = nil
  ) throws(Rejection) {
    let outer = root
    root = properties ?? root
    defer { root = outer }
    set(
      .experiment, of: &event,
      to: try require(firstOf: "experiment_id", "experimentId", "experiment_name"))
    set(
      .variant, of: &event,
      to: try require(
        firstOf: "variation_id", "variant_id", "variationId", "variation_name", "variant_name"))
  }
}
