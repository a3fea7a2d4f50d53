internal import Specifications

/// A projector whose state may be that of several requests: of experiments and dimensions.
///
/// Units without events in experiments, such as those with conversions alone, contribute counts, sums, and maxima that
/// other events can only increase, so that what some of them contribute can be subtracted. The values of the dimension
/// only tell the segments of tables apart.
protocol SharableProjector: UnitProjector where State: StateFields {}

extension SharableProjector {
  /// Returns the difference of two states of this projector.
  func difference(_ state: Any, _ other: Any) -> Any {
    guard var state = state as? State, let other = other as? State else { return state }
    state.subtract(other)
    return state
  }

  /// Returns a state of this projector with other values of the dimension, by their numbers.
  func renumbered(_ state: Any, _ values: [UInt32]) -> Any {
    guard let other = state as? State else { return state }
    var state = makeState(UnitContext())
    var visit = RenumberingVisitor(values: values)
    state.each(&visit, other)
    return state
  }
}

extension RewardProjector: SharableProjector {}
extension ConversionProjector: SharableProjector {}
extension MetricProjector: SharableProjector {}
extension VisitProjector: SharableProjector {}
extension SeriesProjector: SharableProjector {}
extension HealthProjector: SharableProjector {}
extension FunnelProjector: SharableProjector {}
extension RetentionProjector: SharableProjector {}
extension QuantileProjector: SharableProjector {}
extension RegretSurvey: SharableProjector {}

/// A field with values of the dimension.
protocol ValuedField: StateField {
  /// Adds another one, with what the closure returns for its values of the dimension.
  mutating func merge(_ other: Self, valued newValue: (UInt32) -> UInt32)
}

/// Adds the fields of the other state, with other values of the dimension.
private struct RenumberingVisitor: FieldVisitor {
  let values: [UInt32]

  mutating func callAsFunction<Field: StateField>(_ field: inout Field, _ other: Field) {
    guard let valued = field as? any ValuedField else { return field.merge(other) }
    func merged<Valued: ValuedField>(_ valued: Valued) -> Field? {
      guard let other = other as? Valued else { return nil }
      var valued = valued
      valued.merge(other) { values[Int($0)] }
      return valued as? Field
    }
    if let merged = merged(valued) { field = merged }
  }
}
