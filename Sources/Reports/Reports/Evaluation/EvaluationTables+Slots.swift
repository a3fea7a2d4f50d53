internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Returns the value of a policy at each slot by each estimator that is not of whole decisions; nothing unless it is
  /// requested.
  func slotRows(_ place: Place) -> [ValueRow] {
    tally(place).slots.sorted { $0.key < $1.key }.flatMap { number, slot in
      let slotNames = evaluation(place).places[Int(number)]
      return slot.estimates.enumerated().flatMap { index, estimate in
        guard let estimate else { return [ValueRow]() }
        return rows(
          names(place, index), estimate, matched: estimate.sums.matched, slot.weights(of: index),
          verdict(place), slot: slotNames)
      }
    }
  }

  /// Notes what estimates of whole decisions and of several logging policies are about.
  func noteWholeDecisions(_ ledger: EvaluationLedger, _ table: inout Table) {
    let whole = report.plan.estimators.filter(\.judgesWholeDecisions)
      .map(\.specification.description)
    guard !whole.isEmpty else { return }
    table.note(
      "estimators_of_whole_decisions",
      .text(
        "\(whole.joined(separator: ", ")): their decisions are whole ones, of all slots of a point at the same time, "
          + "and the value is the mean of the summed rewards of their slots"))
    table.note("incomplete_whole_decisions", ledger.incomplete)
  }
}
