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

  /// The variants of an experiment that have the same recommendation for the same reason.
  private struct Group {
    var row: NamedCells
    var variants: [String]
  }

  /// At most three sentences: what is not valid first, then what can be acted on; with more to say first how many
  /// variants there are of each.
  var sentences: [String] {
    let groups = groups
    guard groups.count > 3 else { return groups.map(sentence) }
    let counts = Self.order.compactMap { action -> String? in
      let count = rows.count { $0.text("recommendation") == action.rawValue }
      return count == 0 ? nil : "\(action.rawValue) \(count)"
    }
    return ["Of \(rows.count) variants: \(counts.joined(separator: ", "))."]
      + groups.prefix(2).map(sentence)
  }

  /// The most urgent first.
  private static let order: [Recommendation.Action] = [
    .notValid, .rollBack, .ship, .stop, .keepRunning,
  ]

  private var groups: [Group] {
    let sorted = Self.order.flatMap { action in
      rows.filter { $0.text("recommendation") == action.rawValue }
    }
    var groups: [Group] = []
    for row in sorted {
      let variant = row.text("variant") ?? ""
      if let last = groups.indices.last, isSame(groups[last].row, row) {
        groups[last].variants.append(variant)
      } else {
        groups.append(Group(row: row, variants: [variant]))
      }
    }
    return groups
  }

  private func isSame(_ a: NamedCells, _ b: NamedCells) -> Bool {
    ["experiment", "point", "slot", "recommendation", reason].allSatisfy { column in
      (a.text(column) ?? "").utf8.elementsEqual((b.text(column) ?? "").utf8)
    }
  }

  private func sentence(_ group: Group) -> String {
    let row = group.row
    let listed = group.variants.prefix(5).joined(separator: ", ")
    let rest = group.variants.count > 5 ? " and \(group.variants.count - 5) more" : ""
    let name = "\(listed)\(rest) of \(row.placeName)"
    let why = row.text(reason) ?? ""
    switch row.text("recommendation").flatMap(Recommendation.Action.init(rawValue:)) {
    case .ship: return "Ship \(name): \(why)."
    case .rollBack: return "Roll back \(name): \(why)."
    case .stop: return "Stop \(name): \(why)."
    case .keepRunning:
      let until = row.text("until").map { " until \($0.prefix { $0 != "T" })" } ?? ""
      return "Keep running \(name)\(until): \(why)."
    case .notValid, nil: return "\(name) is not valid: \(why)."
    }
  }
}
