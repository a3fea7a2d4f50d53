/// A decision as it is read from a log, with its annotations.
struct CollectedDecision: Sendable {
  var time: Int64
  /// The code of the unit.
  var unit: UInt32
  /// The code of the experiment.
  var experiment: UInt32
  /// The index of the arm.
  var arm: UInt32
  var kind = UnitEvent.Kind.decision
  /// The probability with which the variant was chosen; nil if it is unknown.
  var propensity: Double?
  /// The index of the dimension's value; nil without one.
  var dimension: UInt32?
  /// The index of the probabilities of the choices; nil without any.
  var probabilities: UInt32?
  /// The index of the choices of a decision without probabilities; nil if they are not needed.
  var choices: UInt32?
  /// The index of the situation; nil if it is not needed.
  var situation: UInt32?

  /// Appends the events of the decision: its annotations, and itself.
  @inline(__always)
  func append(to events: inout [UnitEvent]) {
    if let dimension { append(.dimension, dimension, to: &events) }
    if let probabilities { append(.probabilities, probabilities, to: &events) }
    if let choices { append(.choices, choices, to: &events) }
    if let situation { append(.situation, situation, to: &events) }
    events.append(
      UnitEvent(
        time: time, number: propensity ?? .nan, unit: unit, experiment: experiment, subject: arm,
        kind: kind, hasNumber: propensity != nil))
  }

  private func append(_ note: UnitEvent.Kind, _ index: UInt32, to events: inout [UnitEvent]) {
    events.append(
      UnitEvent(
        time: time, number: .nan, unit: unit, experiment: 0, subject: index, kind: note,
        hasNumber: false))
  }
}
