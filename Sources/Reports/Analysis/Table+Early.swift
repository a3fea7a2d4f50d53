internal import Tables

extension Table {
  /// What a test says of a row of `compare`: nothing that counts, and much that misleads, before its time.
  private static let tested: Set<String> = [
    "lift_ci_low", "lift_ci_high", "p_value", "p_value_adjusted", "ci_low", "ci_high", "statistic",
    "degrees_of_freedom", "chance_to_win", "expected_loss",
  ]

  /// Returns the table of `compare` without tests where it is too early for them: before the units or the first look of
  /// the plan, and where there are too few events. Counts, means and differences stay.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  func withoutEarlyTests(
    _ paces: [ReportPlace: RecruitmentPace], _ rule: StoppingRule
  ) throws(TableError) -> Table {
    try replacingRows { cells, row in
      let pace = paces[ReportPlace(cells)].flatMap { $0.isEarly(rule) ? $0 : nil }
      let verdict = ComparisonAnswer.verdict(cells)
      guard pace != nil || verdict == .tooEarly else { return row }
      let isTested = verdict?.isTested ?? false
      let reason = pace.flatMap { isTested ? "\(RecruitmentPace.rule): \($0.progress) are there" : nil }
      return zip(columns, row).map { column, cell in
        switch column.name {
        case "verdict" where verdict != .notValid: .text(ComparisonVerdict.tooEarly.rawValue)
        case "reason": reason.map(TableCell.text) ?? cell
        default: Self.tested.contains(column.name) ? .empty : cell
        }
      }
    }
  }
}
