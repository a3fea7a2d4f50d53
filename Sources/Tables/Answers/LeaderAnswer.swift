internal import Statistics

/// Who is ahead by a measure in each group of rows, and whether intervals overlap: a description, no test.
package struct LeaderAnswer {
  /// The columns that are compared.
  package struct Columns {
    /// The key column of those who are compared, such as `variant`.
    package var name = "variant"
    /// The measure.
    package var value: String
    /// The lower end of its interval.
    package var low = "ci_low"
    /// The upper end of its interval.
    package var high = "ci_high"

    /// Creates columns.
    package init(
      _ value: String, name: String = "variant", low: String = "ci_low", high: String = "ci_high"
    ) {
      (self.name, self.value, self.low, self.high) = (name, value, low, high)
    }
  }

  private struct Leader {
    var place: String
    var names: [String]
    var value: Double
    var interval: Interval?
    var rivals: Int
    var overlapping: [String]
    /// Those without an interval.
    var unknown: [String]

    /// Whether several have a value, and all the same.
    var isTie: Bool { names.count > 1 && names.count == rivals + 1 }
  }

  private let leaders: [Leader]
  private let isLowest: Bool
  private let text: (Double) -> String

  /// Finds the leaders.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - groups: The rows that are compared with each other.
  ///   - columns: The columns that are compared.
  ///   - lowest: Whether the lowest value leads, as of regret.
  ///   - display: How values are written.
  ///   - text: Writes a value; nil to write it as is displayed.
  package init(
    _ rows: AnswerRows, groups: [AnswerRows.Group], _ columns: Columns, lowest: Bool = false,
    as display: TableColumn.Display = .estimate, text: ((Double) -> String)? = nil
  ) {
    isLowest = lowest
    self.text = text ?? { CellText.text($0, as: display) }
    leaders = groups.compactMap { group in
      let values = group.rows.compactMap { row in
        rows.number(row, columns.value).map { (row: row, value: $0) }
      }
      guard let best = lowest ? values.map(\.value).min() : values.map(\.value).max() else {
        return nil
      }
      let name = { (row: Int) in AnswerText.name(rows.text(row, columns.name)) }
      let interval = { (row: Int) -> Interval? in
        guard let low = rows.number(row, columns.low), let high = rows.number(row, columns.high),
          low <= high
        else { return nil }
        return Interval(low, high)
      }
      let first = values.filter { $0.value == best }.map(\.row)
      let own = first.first.flatMap(interval)
      let others = values.map(\.row).filter { !first.contains($0) }
      let overlapping = others.filter { row in
        guard let own, let other = interval(row) else { return false }
        return own.low <= other.high && other.low <= own.high
      }
      return Leader(
        place: group.name, names: first.map(name), value: best, interval: own,
        rivals: values.count - 1, overlapping: overlapping.map(name),
        unknown: others.filter { interval($0) == nil }.map(name))
    }
  }

  /// Returns who leads, in one to three sentences.
  ///
  /// - Parameters:
  ///   - what: The measure in words, such as `mean reward of a decision`.
  ///   - level: The confidence level of the intervals.
  /// - Returns: The sentences; none if no row has a value.
  package func sentences(_ what: String, level: Double) -> [String] {
    let superlative = isLowest ? "lowest" : "highest"
    let percent = Percent.text(level)
    guard leaders.count > 2 else {
      return leaders.map { sentence($0, what, percent) }
    }
    let ahead = leaders.filter { !$0.isTie }
    let list = ahead.map { leader in
      (leader.place.isEmpty ? "" : leader.place + " ") + AnswerText.list(leader.names, most: 2)
        + " (\(text(leader.value)))"
    }
    let ties = places(of: leaders.filter(\.isTie))
    guard !ahead.isEmpty else { return ["The \(what) is the same for all: \(ties)."] }
    let compared = leaders.filter { $0.rivals > 0 && $0.names.count == 1 && $0.interval != nil }
    let overlapping = compared.filter { !$0.overlapping.isEmpty }
    let first =
      "The \(superlative) \(what): \(AnswerText.list(list, most: 6))"
      + (ties.isEmpty ? "." : "; the same for all: \(ties).")
    guard !compared.isEmpty else { return [first] }
    let extent =
      overlapping.isEmpty
      ? "in none of \(compared.count) comparisons"
      : "in \(overlapping.count) of \(compared.count) comparisons"
    return [
      first, "The \(percent) interval of the \(superlative) overlaps that of another \(extent).",
    ]
  }

  /// Returns the places where all have the same value, with the value.
  private func places(of ties: [Leader]) -> String {
    let all = ties.map { tie in
      (tie.place.isEmpty ? "" : tie.place + " ") + "(\(text(tie.value)))"
    }
    return AnswerText.list(all, most: 6)
  }

  /// Whether anyone is compared with another.
  package var isComparison: Bool { leaders.contains { $0.rivals > 0 } }

  private func sentence(_ leader: Leader, _ noun: String, _ percent: String) -> String {
    let what = (isLowest ? "lowest " : "highest ") + noun
    let place = leader.place.isEmpty ? "" : "\(leader.place): "
    let value = text(leader.value)
    let names = AnswerText.list(leader.names)
    let interval = leader.interval.map {
      " (\(percent) interval \(text($0.low)) to \(text($0.high)))"
    }
    guard leader.rivals > 0 else { return "\(place)\(names) is alone: \(value)\(interval ?? "")." }
    guard !leader.isTie else {
      let count = leader.names.count
      let all = count == 2 ? AnswerText.list(leader.names) : "all \(count)"
      return "\(place)\(all) have the same \(noun), \(value)."
    }
    guard leader.names.count == 1 else { return "\(place)\(names) share the \(what), \(value)." }
    return "\(place)\(names) has the \(what), \(value)\(interval ?? "")\(overlap(of: leader))."
  }

  /// Returns whose intervals overlap that of a leader, and who has none.
  private func overlap(of leader: Leader) -> String {
    guard leader.interval != nil else { return "" }
    let unknown = leader.unknown.isEmpty ? "" : "; \(AnswerText.list(leader.unknown)) without an interval"
    guard leader.overlapping.isEmpty else {
      return "; the interval overlaps that of \(AnswerText.list(leader.overlapping))\(unknown)"
    }
    return (leader.unknown.count == leader.rivals ? "" : "; the interval overlaps no other") + unknown
  }
}
