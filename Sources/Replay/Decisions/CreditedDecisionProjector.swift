internal import Specifications

/// Collects every counted decision of some arms with its reward, in order.
///
/// Decisions and rewards are those of ``RewardProjector``. Memory: 56 bytes per decision, or those of its storage, in
/// addition to that of ``RewardProjector``.
package struct CreditedDecisionProjector: UngroupedProjector {
  package struct State: Sendable {
    /// The tallies of the rewards, which are filled if decisions are grouped.
    package var units: RewardedUnits
    package var pile: DecisionPile
    fileprivate let isTaken: [Bool]
  }

  private let attribution: Attribution
  private let further: UnitNeeds
  private let storage: DecisionStorage
  private let isGrouped: Bool
  private let takes: @Sendable (Arm) -> Bool

  /// Creates a projector.
  ///
  /// - Parameters:
  ///   - attribution: How goals are credited.
  ///   - further: What decisions need in addition: propensities, probabilities or situations.
  ///   - storage: Where decisions are kept.
  ///   - isGrouped: Whether decisions are visited by place and value of the dimension.
  ///   - takes: Returns whether the decisions of an arm are collected.
  package init(
    _ attribution: Attribution, _ further: UnitNeeds, _ storage: DecisionStorage = .memory,
    grouped isGrouped: Bool = false, takes: @escaping @Sendable (Arm) -> Bool = { _ in true }
  ) {
    (self.attribution, self.further, self.storage) = (attribution, further, storage)
    (self.isGrouped, self.takes) = (isGrouped, takes)
  }

  package var needs: UnitNeeds { attribution.metric.needs.union(further).union(.hashes) }

  package func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, attribution, fillingTable: isGrouped),
      pile: DecisionPile(context, storage, grouped: isGrouped), isTaken: context.arms.map(takes))
  }

  package func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions
    where state.isTaken[Int(history[decision.index].subject)] {
      state.pile.append(state.units.record(decision, of: history))
    }
  }

  package func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    state.pile.merge(other.pile)
  }

  package func result(of state: State, _ context: UnitContext) -> State { state }
}
