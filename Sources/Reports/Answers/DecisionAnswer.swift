internal import Tables

/// The sentences that say what to do with the variants of planned experiments.
struct DecisionAnswer {
  private let rows: [NamedCells]
  private let reason: String

  /// - Parameters:
  ///   - table: A table with the columns `recommendation` and `until`.
  ///   - reason: The column of the reasons.
  init(_ table: Table, reason: String) {
    rows = NamedCells.rows(of: table).filter { $0.text("recommendation") != nil }
    self.reason = reason
  }

  /// At most three sentences: what must not be read first, then what can be acted on; with more variants first how many
  /// there are of each.
  var sentences: [String] {
    let order: [Recommendation.Action] = [.doNotRead, .rollBack, .ship, .stop, .keepRunning]
    let sorted = order.flatMap { action in
      rows.filter { $0.text("recommendation") == action.rawValue }
    }
    guard sorted.count > 3 else { return sorted.map(sentence) }
    let counts = order.compactMap { action -> String? in
      let count = rows.count { $0.text("recommendation") == action.rawValue }
      return count == 0 ? nil : "\(action.rawValue) \(count)"
    }
    return ["Of \(rows.count) variants: \(counts.joined(separator: ", "))."]
      + sorted.prefix(2).map(sentence)
  }

  private func sentence(_ row: NamedCells) -> String {
    let name = "\(row.text("variant") ?? "") of \(row.text("experiment") ?? "")"
    let why = row.text(reason) ?? ""
    switch row.text("recommendation").flatMap(Recommendation.Action.init(rawValue:)) {
    case .ship: return "Ship \(name): \(why)."
    case .rollBack: return "Roll back \(name): \(why)."
    case .stop: return "Stop \(name): \(why)."
    case .keepRunning:
      let until = row.text("until").map { " until \($0.prefix { $0 != "T" })" } ?? ""
      return "Keep running \(name)\(until): \(why)."
    case .doNotRead, nil: return "Do not read \(name): \(why)."
    }
  }
}
