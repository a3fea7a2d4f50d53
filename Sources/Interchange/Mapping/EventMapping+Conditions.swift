extension EventMapping {
  /// The conditions of a row for having an event, and the remedy for rows that have none, for messages.
  package var conditions: String {
    let needs = events.indices.map { self.conditions(ofEvent: $0).joined(separator: " and ") }
      .filter { !$0.isEmpty }
    let next = events.count + 1
    let more = needs.count > 2 ? ", or what the other \(needs.count - 2) need" : ""
    let asked = needs.isEmpty ? "what is mapped" : needs.prefix(2).joined(separator: ", or ")
    return
      "an event needs \(asked)\(more); check these columns, or map what the rows are as an event of their own, such as "
      + "\(next).type:=conversion and \(next).goal=COLUMN"
  }

  private func conditions(ofEvent index: Int) -> [String] {
    let event = events[index]
    let prefix = index == 0 ? "" : "\(index + 1)."
    var fields: [(field: EventField.Plain, text: String)] = [
      (.when, "filled and not 0"), (.unless, "empty or 0"),
      (.each, "there"),
    ]
    let deciding: [EventField.Plain] = event[.type] == nil ? [.variant, .goal, .kind] : []
    if let field = deciding.first(where: { event[$0] != nil }) {
      fields.append((field, "filled"))
    }
    if index > 0 { fields.append((.time, "filled")) }
    return fields.compactMap { field, text in
      guard case .column(let name)? = event[field], !name.hasPrefix("{") else { return nil }
      let isWhole = EventField.plain(field).isCondition && name.contains("==")
      return "\(prefix)\(field.name)=\(name)" + (isWhole ? "" : " \(text)")
    }
  }
}
