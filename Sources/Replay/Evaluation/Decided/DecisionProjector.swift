/// A unit projector that needs nothing of a unit but the decisions that an evaluation uses, so that they can be shown
/// to it repeatedly once goals are credited.
package protocol DecisionProjector: UngroupedProjector {
  /// Whether its state depends on which unit made a decision or when, so that alike ones cannot be passed together
  /// (default: false).
  var distinguishesUnits: Bool { get }

  /// Applies the decisions of a unit, at least one, in the order of its history.
  ///
  /// - Parameters:
  ///   - rows: The decisions.
  ///   - unit: The code of the unit.
  ///   - state: The state.
  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State)

  /// Applies a number of units that have one decision each, all alike, with the same result as one by one.
  func apply(_ single: SingleUnit, to state: inout State)
}

extension DecisionProjector {
  /// False.
  package var distinguishesUnits: Bool { false }
}

/// A type-erased ``DecisionProjector`` with the combined state of all threads.
package protocol DecisionSlotting: UnitSlotting {
  /// See ``DecisionProjector/distinguishesUnits``.
  var distinguishesUnits: Bool { get }
  /// Creates the working state of one thread.
  func makeDecisionRun(_ context: UnitContext) -> any DecisionRunning
}

/// A ``DecisionProjector`` running on one thread.
package protocol DecisionRunning: UnitRunning {
  func apply(_ rows: [CreditedDecision], of unit: UInt32)
  func apply(_ single: SingleUnit)
}
