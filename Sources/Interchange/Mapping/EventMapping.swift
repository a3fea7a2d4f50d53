internal import Events
public import Specifications

/// How the fields of the records of a table become events: for each event of a record, a list of the event's fields
/// with the column that fills each.
///
/// A mapping is written as entries `FIELD=COLUMN` and `FIELD:=CONSTANT`, such as `unit=user.id` and
/// `experiment:=checkout`. Entries of a second event of the same record begin with `2.`, as in `2.goal:=purchase`.
public struct EventMapping: Hashable, Sendable {
  /// The source of a field.
  public enum Source: Hashable, Sendable {
    /// A column, or a field of a JSON object; one of a nested object is written `outer.inner`. Of several between `|`
    /// the first with a content counts. A condition may end with `== CONTENT`, or several between `|`, and a number
    /// with `/ 100`, which divides it.
    case column(String)
    /// The same text for all records.
    case constant(String)
  }

  /// One event of a record.
  public struct Template: Hashable, Sendable {
    /// The fields, in the order in which they were given.
    public internal(set) var entries: [Entry] = []

    /// The source of a field; nil if it is not mapped.
    public subscript(field: EventField.Plain) -> Source? {
      entries.first { $0.field == .plain(field) }?.source
    }

    /// Puts entries in the places of those of the same fields, or at the end.
    fileprivate mutating func put(_ changes: [Entry]) {
      let known = zip(entries.map { NameKey($0.field.text) }, entries.indices)
      let places = Dictionary(known, uniquingKeysWith: { first, _ in first })
      for entry in changes {
        if let place = places[NameKey(entry.field.text)] { entries[place] = entry } else { entries.append(entry) }
      }
    }
  }

  /// A field and what fills it.
  public struct Entry: Hashable, Sendable {
    /// The field.
    public let field: EventField
    /// Its source.
    public let source: Source
  }

  /// The events of a record, at least one.
  public private(set) var events: [Template] = []

  /// Creates a mapping from entries as they are written.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - base: The entries of a mapping that they change: each takes the place of the entry of its field, or is added.
  /// - Throws: `SpecificationError` if an entry is not valid, or fills a field twice.
  public init(_ entries: [String], changing base: [String] = []) throws(SpecificationError) {
    var templates = try Self.templates(base)
    for (number, changes) in try Self.templates(entries) {
      templates[number, default: Template()].put(changes.entries)
    }
    guard !templates.isEmpty else { throw SpecificationError("a mapping needs at least one field") }
    let numbers = templates.keys.sorted()
    guard numbers == Array(1...numbers.count) else {
      throw SpecificationError("the events of a row are numbered from 1 on, without gaps")
    }
    events = numbers.compactMap { templates[$0] }
    try requireSense()
    try requireRoom()
  }

  /// Returns the events that entries fill, by their numbers.
  private static func templates(_ entries: [String]) throws(SpecificationError) -> [Int: Template] {
    var templates: [Int: Template] = [:]
    var fields: [Int: Set<NameKey>] = [:]
    for text in entries {
      let (event, entry) = try Self.parse(text)
      guard fields[event, default: []].insert(NameKey(entry.field.text)).inserted else {
        let name = (event == 1 ? "" : "\(event).") + entry.field.text
        throw SpecificationError("\"\(name)\" is mapped twice; keep one")
      }
      templates[event, default: Template()].entries.append(entry)
    }
    return templates
  }

  private static func parse(_ text: String) throws(SpecificationError) -> (Int, Entry) {
    // By bytes, since a combining character after it makes another `Character` of the sign.
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex
    else {
      throw SpecificationError(
        "\"\(text)\": write FIELD=COLUMN, or FIELD:=VALUE for the same value in all rows")
    }
    var name = text[..<equals]
    let content = String(text[text.utf8.index(after: equals)...])
    let isConstant = name.hasSuffix(":")
    if isConstant { name = name.dropLast() }
    var event = 1
    if let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), let number = Int(name[..<dot]) {
      guard (1...99).contains(number) else {
        throw SpecificationError("\"\(text)\": the number of the event must be from 1 to 99")
      }
      event = number
      name = name[name.utf8.index(after: dot)...]
    }
    let field = try EventField(String(name))
    guard !content.isEmpty else {
      throw SpecificationError("\"\(text)\": a column or a value is missing after the =")
    }
    let entry = Entry(field: field, source: isConstant ? .constant(content) : .column(content))
    if let problem = entry.problem { throw SpecificationError("\"\(text)\": \(problem)") }
    return (event, entry)
  }

  /// Checks that each event can be complete.
  private func requireSense() throws(SpecificationError) {
    for (index, event) in events.enumerated() {
      let name = events.count == 1 ? "the mapping" : "event \(index + 1)"
      guard event.decides else {
        throw SpecificationError(
          "\(name) maps neither variant (a decision), goal, kind (a data point) nor type")
      }
      if case .constant(let type)? = event[.type], EventKind(name: type)?.isLifeCycle != false {
        throw SpecificationError("\(name) has the type \"\(type)\", which must be \(EventKind.recorded)")
      }
      if event[.each] == nil, let entry = event.entries.first(where: { $0.source.variesByColumn }) {
        throw SpecificationError(
          "\"\(entry.text)\": {column} and {value} are those of each, which \(name) does not map")
      }
      let fields = event.entries.map(\.field)
      guard index == 0 || !fields.contains(where: { if case .members = $0 { true } else { false } }) else {
        throw SpecificationError("\(name): write members without the number of an event; a list has them in all events")
      }
      let hasNamed = fields.contains { if case .features = $0 { true } else { false } }
      guard !hasNamed || !fields.contains(.chosenFeatures) else {
        throw SpecificationError("\(name) maps features.* and features.VARIANT.NAME; keep one of them")
      }
      guard event[.unique] == nil || event[.unique] == .constant("true") && event[.id] != nil else {
        throw SpecificationError("\(name): unique must be =true, beside an id")
      }
      guard !event.isTurnedAway(by: event) else {
        throw SpecificationError("no row has \(name), whose when and unless contradict each other")
      }
      for field in [EventField.Plain.time, .unit]
      where source(of: field, event: index) == nil {
        throw SpecificationError("\(name) must map \(field.name)")
      }
    }
  }

  /// The source of a field of an event. The time, the unit, the experiment and the id are those of the first event
  /// unless the event has its own.
  func source(of field: EventField.Plain, event index: Int) -> Source? {
    if let own = events[index][field] { return own }
    switch field {
    case .time, .unit, .experiment, .id: return events[0][field]
    default: return nil
    }
  }

  /// The entries as they are written, in order.
  public var entries: [String] {
    events.enumerated().flatMap { index, event in
      event.entries.map { entry in
        let name = (index == 0 ? "" : "\(index + 1).") + entry.field.text
        return entry.source.argument(of: name)
      }
    }
  }

  /// Returns the columns that are listed as the source of `each`.
  static func columns(ofEach list: String) -> [String] {
    list.utf8.split(separator: UInt8(ascii: ",")).map { String($0) ?? "" }
  }

  /// Returns the objects whose members are listed as a source.
  static func objects(ofMembers list: String) -> [String] {
    columns(ofEach: list).map { ColumnTerm.object(ofMembers: $0) ?? "" }
  }

  /// The columns that are mapped, in order, each once.
  public var columns: [String] {
    var seen: Set<String> = []
    return alternatives.joined().filter { seen.insert($0).inserted }
  }

  /// The columns of each entry, of which a table needs one.
  var alternatives: [[String]] {
    events.flatMap(\.entries).flatMap { entry -> [[String]] in
      switch (entry.field, entry.source) {
      case (.members(let list), _): [[list]]
      case (.plain(.each), .column(let list)), (.chosenFeatures, .column(let list)):
        Self.columns(ofEach: list).map { ColumnTerm(ColumnTerm.object(ofMembers: $0) ?? $0).names }
      default: entry.term.map { [$0.names] } ?? []
      }
    }
  }
}

extension EventMapping.Template {
  /// Whether the kind of the event follows from the fields.
  fileprivate var decides: Bool {
    [.type, .variant, .goal, .kind].contains { self[$0] != nil }
  }
}
