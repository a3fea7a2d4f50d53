internal import Events
import Specifications

/// Which of the mapped fields the events of a record can hold.
extension EventField {
  /// Returns whether events of a kind hold the field, or it says something about the record as a whole.
  func isHeld(by kind: EventKind) -> Bool {
    switch self {
    case .plain(.type), .members: true
    case _ where isRule: true
    case .plain(.reward), .context, .features, .chosenFeatures: kind == .decision
    case .metadata: kind.has(field: "metadata")
    // A conversion counts for all experiments of its unit, and has the name in its metadata.
    case .plain(.experiment): kind == .conversion || kind.has(field: "experiment")
    case .plain(let plain): kind.has(field: plain.name)
    }
  }
}

extension EventMapping {
  /// The kind of an event, if it is the same in all records; nil if the records decide.
  func kind(ofEvent index: Int) -> EventKind? {
    let event = events[index]
    switch event[.type] {
    case .constant(let name)?: return EventKind.allCases.first { $0.name == name }
    case .column?: return nil
    case nil: break
    }
    if event[.variant] != nil { return .decision }
    guard event[.goal] != nil else { return .dataPoint }
    switch (event[.value] != nil, event[.revenue] != nil) {
    case (true, true): return nil
    case (true, false): return .goal
    case (false, true): return .conversion
    case (false, false): return source(of: .experiment, event: index) == nil ? .conversion : .goal
    }
  }

  /// Checks that each event can hold the fields that are mapped for it.
  ///
  /// - Throws: `SpecificationError` that names the fields and the kind of event, and proposes the event to add.
  func requireRoom() throws(SpecificationError) {
    for (index, event) in events.enumerated() {
      guard let kind = kind(ofEvent: index) else { continue }
      let rest = event.entries.filter { !$0.field.isHeld(by: kind) }
      guard !rest.isEmpty else { continue }
      let prefix = index == 0 ? "" : "\(index + 1)."
      let names = rest.map { "\(prefix)\($0.text)" }.joined(separator: ", ")
      throw SpecificationError(
        "a \(kind.name), which \(reason(forKind: kind, prefix, event)), cannot hold \(names); "
          + remedy(for: rest, of: kind, event, prefix))
    }
  }

  /// Returns the columns of an input that no entry names; none if the mapping keeps all others.
  func leftOut(of sample: InputSample) -> [String] {
    let keepsOthers = events.contains { event in
      event.entries.contains { $0.field == .context("*") || $0.field == .metadata("*") }
    }
    guard !keepsOthers, let paths = sample.paths else { return [] }
    let mapped = Set(columns)
    let objects = Set(columns.map { $0.split(separator: ".").first.map(String.init) ?? $0 })
    var isUpper: Bool { ColumnCase.isUpper(paths.map(\.name)) }
    let upper = isUpper ? Set(columns.map { $0.uppercased() }) : []
    return paths.map(\.name).filter { name in
      guard !name.isEmpty, !mapped.contains(name), !upper.contains(name) else { return false }
      // A column of JSON text, or an object whose fields are mapped one by one, is there in part.
      let isText = sample.columns != nil && objects.contains(name)
      return !isText && !mapped.contains { name.hasPrefix($0 + ".") }
    }
  }

  /// Returns the entry that makes an event of its kind.
  private func reason(
    forKind kind: EventKind, _ prefix: String, _ event: Template
  ) -> String {
    let deciding: [EventField.Plain] = [.type, .variant, .value, .revenue, .goal, .kind]
    let entry = deciding.lazy.compactMap { field in
      event.entries.first { $0.field == .plain(field) && $0.field.isHeld(by: kind) }
    }.first
    return entry.map { "\(prefix)\($0.text) makes of a row" } ?? "a row is"
  }

  private func remedy(
    for rest: [Entry], of kind: EventKind, _ event: Template, _ prefix: String
  ) -> String {
    let renamed = rest.compactMap { $0.attribute(in: kind) }.map { prefix + $0.text }
    let own = renamed.isEmpty ? "" : "write \(renamed.joined(separator: ", "))"
    guard kind == .decision || renamed.count < rest.count else { return own }
    let number = "\(events.count + 1)."
    let further = Self.event(holding: rest).map { number + $0.text }.joined(separator: ", ")
    return (own.isEmpty ? "" : "\(own) for what was known then, or ")
      + "map another event of the row: \(further); \(number)time: COLUMN if it has its own time "
      + "(with --map: \(number)type:=KIND, \(number)FIELD=COLUMN)"
  }

  /// Returns the entries of a further event that holds as many of some entries as one can.
  private static func event(holding rest: [Entry]) -> [Entry] {
    let hasAttributes = rest.contains { if case .metadata = $0.field { true } else { false } }
    let outcomes: [EventKind] = hasAttributes ? [.conversion, .goal] : [.goal, .conversion]
    let kinds = outcomes + [.decision, .dataPoint]
    func count(_ kind: EventKind) -> Int { rest.count { $0.field.isHeld(by: kind) } }
    let most = kinds.map(count).max() ?? 0
    let kind = kinds.first { count($0) == most } ?? .goal
    var entries = [Entry(field: .plain(.type), source: .constant(kind.name))]
    let held = rest.filter { $0.field.isHeld(by: kind) }
    for (field, name) in required(by: kind, held) where !held.contains(where: { $0.field == field }) {
      entries.append(Entry(field: field, source: .constant(name)))
    }
    return entries + held
  }

  /// The fields that a kind of event needs besides time, unit and experiment, with a name for each.
  private static func required(
    by kind: EventKind, _ held: [Entry]
  ) -> [(field: EventField, name: String)] {
    switch kind {
    case .conversion: return [(.plain(.goal), "purchase")]
    case .goal:
      let value = held.first { $0.field == .plain(.value) }?.source
      if case .column(let name)? = value { return [(.plain(.goal), name)] }
      return [(.plain(.goal), "purchase")]
    case .decision: return [(.plain(.variant), "VARIANT")]
    default: return [(.plain(.kind), "custom")]
    }
  }
}

extension EventKind {
  /// The kinds that records can be, in words.
  static let recorded = "decision, goal, conversion or dataPoint"
}

extension EventMapping.Source {
  /// Returns the entry of a field as `--map` takes it.
  func argument(of field: String) -> String {
    switch self {
    case .column(let column): "\(field)=\(column)"
    case .constant(let value): "\(field):=\(value)"
    }
  }

  /// Whether it is the name or the content of the columns that are events of their own.
  var variesByColumn: Bool {
    [.column("{column}"), .constant("{column}"), .column("{value}"), .constant("{value}")].contains(self)
  }
}

extension EventMapping.Entry {
  /// The entry as it is written in a mapping file: `revenue: amount`, `experiment: =checkout`.
  var text: String {
    switch source {
    case .column(let column): "\(field.text): \(column)"
    case .constant(let value): "\(field.text): =\(value)"
    }
  }

  /// Returns the attribute in place of one that events of a kind do not hold; nil if they have none.
  fileprivate func attribute(in kind: EventKind) -> EventMapping.Entry? {
    switch field {
    case .metadata(let name) where kind == .decision:
      EventMapping.Entry(field: .context(name), source: source)
    case .context(let name) where kind.has(field: "metadata"):
      EventMapping.Entry(field: .metadata(name), source: source)
    default: nil
    }
  }
}
