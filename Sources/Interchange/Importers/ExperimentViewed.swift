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
}

extension ImportedRecord {
  /// Adds the decision of the event.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - unit: The field with the unit.
  ///   - properties: The object with the event's properties; nil for the root.
  ///   - fields: The fields.
  /// - Throws: ``Rejection`` `event` if the experiment or the variant is missing.
  mutating func addExperimentViewed(
    at time: Timestamp, unit: FieldTree.Field, in properties: FieldTree.Field?,
    _ fields: inout FieldTree
  ) throws(Rejection) {
    let outer = fields.root
    fields.root = properties ?? outer
    defer { fields.root = outer }
    let experiment = try fields.require(
      firstOf: "experiment_id", "experimentId", "experiment_name")
    let variant = try fields.require(
      firstOf: "variation_id", "variant_id", "variationId", "variation_name", "variant_name")
    fields.root = outer
    try addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
  }
}
