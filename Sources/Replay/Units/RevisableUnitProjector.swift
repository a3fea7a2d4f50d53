public import Specifications

/// A unit projector whose state can be revised: a unit's contribution can be subtracted, and added again once more is
/// known of the unit. A stored state can thus be updated with the new events of a log, including late ones, without
/// reading the old ones.
///
/// States must hold sums and counts only, nothing like a maximum or a first value over all units, because those cannot
/// be recomputed without one of the units.
public protocol RevisableUnitProjector: UnitProjector {
  /// Whether the contribution of a unit is the sum of the contributions of its events in each experiment separately,
  /// together with those in none; it must not read ``UnitEvent/isLate`` then. New events in one experiment then revise
  /// nothing in the others. False by default.
  var isDividedByExperiments: Bool { get }

  /// Replaces the contribution of a unit by that of a longer history, of which its earlier history is the beginning.
  ///
  /// By default, the earlier history is applied to one state and the longer one to the other. A projector may add less
  /// to both, as long as the difference between them is the same.
  ///
  /// - Parameters:
  ///   - history: The longer history, in order, with at least one new event.
  ///   - start: The number of events of the earlier history, at least 1.
  ///   - added: The state that is added to the total.
  ///   - removed: The state that is subtracted from it.
  func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State)

  /// Subtracts the contribution of some units from a state that contains them. The result must be that of a state
  /// without these units.
  func subtract(_ other: State, from state: inout State)

  /// Writes a state between two units.
  func write(_ state: State, to writer: inout StateWriter)
}

extension RevisableUnitProjector {
  /// False: all events of a unit are revised.
  public var isDividedByExperiments: Bool { false }

  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }

  /// Replaces the contribution of a unit's earlier history by that of all its events, either of which can be empty:
  /// the one is applied to the state that is subtracted, the other to the one that is added.
  public func replace(
    _ before: Span<UnitEvent>, by all: Span<UnitEvent>, in added: inout State,
    _ removed: inout State
  ) {
    if !before.isEmpty { apply(before, to: &removed) }
    if !all.isEmpty { apply(all, to: &added) }
  }
}

extension RevisableUnitProjector where State: StateField {
  public func subtract(_ other: State, from state: inout State) { state.subtract(other) }
}
