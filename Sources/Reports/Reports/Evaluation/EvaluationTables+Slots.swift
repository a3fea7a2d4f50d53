internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// The columns of rows for single slots; empty unless they are requested.
  var slotColumns: [TableColumn] {
    guard report.plan.dividesSlots else { return [] }
    return [
      .key("point", .text, "where in the app; empty for all slots together"),
      .key("slot", .text, "which of several decisions at the point; empty for all of them"),
    ]
  }

  /// Returns the cells of the ``slotColumns``; nil for all slots together.
  func cells(_ slot: (point: String, slot: String)?) -> [TableCell] {
    guard report.plan.dividesSlots else { return [] }
    return [.text(slot?.point ?? ""), .text(slot?.slot ?? "")]
  }

  /// Appends the value of a policy at each slot by each estimator that is not of whole decisions.
  func appendSlots(_ place: Place, to table: inout Table) throws(TableError) {
    for (number, slot) in tally(place).slots.sorted(by: { $0.key < $1.key }) {
      let names = evaluation(place).places[Int(number)]
      for (index, estimate) in slot.estimates.enumerated() {
        guard let estimate else { continue }
        try append(
          cells(place) + [.text(estimator(index))], estimate, matched: estimate.sums.matched,
          Self.cells(slot.weights(of: index)), verdict(place), slot: names, to: &table)
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
        "\(whole.joined(separator: ", ")): their decisions are whole ones, of all slots of a point at the same time, and "
          + "the value is the mean of the summed rewards of their slots"))
    table.note("incomplete_whole_decisions", .integer(ledger.incomplete))
  }
}
