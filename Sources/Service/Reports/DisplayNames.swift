internal import DecidingAgents
internal import Events
internal import Tables

/// The display names of agents and of their choices, which definitions carry beside the codes.
struct DisplayNames {
  private let agents: Agents

  init(_ agents: Agents) { self.agents = agents }

  /// Returns the table with names after the codes of experiments and variants that have one: `blue (Blue button)`.
  ///
  /// - Throws: `TableError` if a cell does not fit its column.
  func added(to table: Table) throws(TableError) -> Table {
    let places = table.columns.indices
    guard let experiment = places.first(where: { table.columns[$0].name == "experiment" }) else {
      return table
    }
    let variants = places.filter { ["variant", "baseline"].contains(table.columns[$0].name) }
    var named = try Table(name: table.name, title: table.title, columns: table.columns)
    (named.answer, named.cards, named.method) = (table.answer, table.cards, table.method)
    (named.series, named.focus) = (table.series, table.focus)
    for note in table.notes { named.note(note.name, note.value) }
    named.reserve(rows: table.rows.count)
    var known: [String: AgentNames] = [:]
    for row in table.rows {
      var cells = Array(row)
      if case .text(let code) = cells[experiment] {
        let names = known[code] ?? AgentNames(agents.definition(of: code))
        known[code] = names
        cells[experiment] = .text(Self.text(code, names.agent))
        for place in variants {
          guard case .text(let choice) = cells[place] else { continue }
          cells[place] = .text(Self.text(choice, names.choices[choice]))
        }
      }
      try named.append(row: cells)
    }
    return named
  }

  private static func text(_ code: String, _ name: String?) -> String {
    name.map { $0.isEmpty || $0 == code ? code : "\(code) (\($0))" } ?? code
  }
}

/// The names in the definition of an agent.
private struct AgentNames {
  var agent: String?
  /// By the code of the choice. Of choices with the same code at several points or slots, the first name counts.
  var choices: [String: String] = [:]

  init(_ definition: AgentDefinition?) {
    agent = definition?.json["name"]?.string
    for option in (definition?.points ?? []).flatMap({ $0.slots.flatMap(\.choices) }) {
      if choices[option.code] == nil { choices[option.code] = option.name }
    }
  }
}
