import Events
internal import Specifications

/// One event of a mapping, with the source of each of its fields.
struct MappedEvent: Sendable {
  typealias Field = FieldTree.Field
  private typealias Partial = (entry: EventMapping.Entry, source: MappedSource, kinds: Set<EventKind>)

  /// An attribute: its name in ``names``, and its source.
  struct Attribute: Sendable {
    let name: EventRecord.Slice
    let source: MappedSource
  }

  /// The texts of an event that are copied as they are.
  private static let texts: [(EventField.Plain, EventRecord.TextField)] = [
    (.point, .point), (.slot, .slot), (.policy, .policy), (.reason, .reason), (.key, .key),
  ]

  private let mapping: EventMapping
  private let index: Int
  private let sources: [MappedSource?]
  let texts: [(field: EventRecord.TextField, source: MappedSource)]
  /// The texts that every event begins with: the names of attributes and choices, and the experiment.
  private(set) var names: [UInt8] = []
  private(set) var context: [Attribute] = []
  private(set) var metadata: [Attribute] = []
  private(set) var features: [(variant: EventRecord.Slice, attributes: [Attribute])] = []
  /// The objects whose members are features of the variant that was chosen.
  private(set) var chosenFeatures: [MappedSource] = []
  private var conditions: [MappedCondition]
  private var placeOfVariant: [NameKey: Int] = [:]
  private(set) var keepsContext = false
  private(set) var keepsMetadata = false
  private var each: [(name: MappedSource, value: MappedSource, hasMembers: Bool)] = []
  /// The columns that are mapped to fields which only some kinds of events hold, if the rows decide the kind.
  private var partial: [Partial] = []
  private let hasOwnTime: Bool
  /// The attribute with the experiment of a conversion, if it is not only that of the first event.
  private(set) var ownExperiment: Attribute?
  /// The suffix of the id if it is that of the first event.
  let idSuffix: [UInt8]
  /// The experiment of events without one of their own.
  private(set) var experiment: EventRecord.Slice?
  /// Whether a conversion reverses an earlier one if its goal is named so, or its revenue is below 0.
  let tellsRefunds: Bool
  /// The number of the member that the event is of, counted from 1; 0 if it is of none.
  private(set) var member = 0
  /// The numbers of the sources if records that have the event have no other, which do not use the fields of this one.
  private var own = 0..<0

  /// Creates an event, which may be the only one of the records that have it.
  init(_ mapping: EventMapping, _ index: Int, _ fields: inout MappedFields, experiment: String?, isOnly: Bool) {
    let template = mapping.events[index]
    (self.mapping, self.index) = (mapping, index)
    hasOwnTime = template[.time] != nil
    let id = mapping.source(of: .id, event: index)
    let sharesID = id != nil && id == mapping.events[0][.id]
    let isAlone = (0..<index).allSatisfy { mapping.excludes($0, index) }
    idSuffix = sharesID && !isAlone ? Array("/\(index + 1)".utf8) : []
    tellsRefunds = template[.negative] == .constant("{refund}")
    let first = fields.count
    defer { own = isOnly ? first..<fields.count : 0..<0 }
    let counts = mapping.kind(ofEvent: index) == .conversion
    let sources = EventField.Plain.allCases.map { field in
      // A conversion counts for all experiments.
      let isOther =
        EventField.plain(field).isRule || field == .experiment && counts && template[.experiment] == nil
      return isOther ? nil : mapping.source(of: field, event: index).map { fields.add($0, of: .plain(field)) }
    }
    self.sources = sources
    texts = Self.texts.compactMap { plain, field in
      sources[plain.rawValue].map { (field: field, source: $0) }
    }
    conditions = template.entries.filter { $0.field.isCondition }.map { MappedCondition($0, &fields) }
    for entry in template.entries { add(entry, &fields) }
    if let experiment { self.experiment = add(name: experiment) }
    if let source = template[.experiment] {
      ownExperiment = attribute("experiment", source, &fields)
    }
    if mapping.kind(ofEvent: index) == nil {
      partial = Self.partial(of: template, &fields)
      // Rows of several kinds keep the rest in the list that each has.
      keepsContext = keepsContext || keepsMetadata
      keepsMetadata = keepsContext
    }
    if case .column(let columns)? = template[.each] {
      each = EventMapping.columns(ofEach: columns).map { column in
        let object = ColumnTerm.object(ofMembers: column)
        let value = fields.add(.column(object ?? column))
        return (name: fields.add(.constant(column)), value: value, hasMembers: object != nil)
      }
    }
  }

  /// The conditions that ask for contents which no record had.
  var unmet: [String] { conditions.compactMap(\.unmet) }

  /// The source of a field with a fixed name; nil if it is not mapped.
  subscript(field: EventField.Plain) -> MappedSource? { sources[field.rawValue] }

  /// Returns the source of a field in messages: `column "user"`.
  func text(_ field: EventField.Plain) -> String {
    mapping.source(of: field, event: index)?.text ?? "the \(field.name)"
  }

  /// Returns the columns of a template that not every kind of event has a field for.
  private static func partial(of template: EventMapping.Template, _ fields: inout MappedFields) -> [Partial] {
    let kinds = EventKind.allCases.filter { !$0.isLifeCycle }
    return template.entries.compactMap { entry in
      guard case .column(let name) = entry.source, name != "*" else { return nil }
      let held = Set(kinds.filter { entry.field.isHeld(by: $0) })
      let columns = entry.field == .chosenFeatures ? EventMapping.objects(ofMembers: name).joined(separator: "|") : name
      return held.count == kinds.count ? nil : (entry, fields.add(.column(columns)), held)
    }
  }

  /// Adds the attribute of an entry, or that all other columns are kept.
  private mutating func add(_ entry: EventMapping.Entry, _ fields: inout MappedFields) {
    switch entry.field {
    case .plain, .members: break
    case .context("*"): keepsContext = true
    case .metadata("*"): keepsMetadata = true
    case .context(let name): context.append(attribute(name, entry.source, &fields))
    case .metadata(let name): metadata.append(attribute(name, entry.source, &fields))
    case .chosenFeatures:
      guard case .column(let list) = entry.source else { break }
      chosenFeatures = EventMapping.objects(ofMembers: list).map { fields.add(.column($0)) }
    case .features(let variant, let name):
      let attribute = attribute(name, entry.source, &fields)
      if let place = placeOfVariant[NameKey(variant)] {
        features[place].attributes.append(attribute)
      } else {
        placeOfVariant[NameKey(variant)] = features.count
        features.append((variant: add(name: variant), attributes: [attribute]))
      }
    }
  }

  private mutating func attribute(
    _ name: String, _ source: EventMapping.Source, _ fields: inout MappedFields
  ) -> Attribute {
    Attribute(name: add(name: name), source: fields.add(source))
  }

  private mutating func add(name: String) -> EventRecord.Slice {
    names.append(contentsOf: name.utf8)
    return EventRecord.Slice(start: names.count - name.utf8.count, count: name.utf8.count)
  }
}

extension EventMapping.Source {
  /// The source in messages: `column "user"`.
  var text: String {
    switch self {
    case .column("{column}"), .constant("{column}"): "the column's name"
    case .column("{value}"), .constant("{value}"): "the column"
    case .column(let name): "column \"\(name)\""
    case .constant(let value): "\"\(value)\""
    }
  }
}

extension MappedEvent {
  /// Adds the events of a record, unless what makes the event is empty.
  mutating func add(
    _ tree: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    // Each is asked, so that it is known which contents occur.
    var isThere = true
    for index in conditions.indices { isThere = conditions[index].allows(tree) && isThere }
    guard isThere else { return }
    tree.use(sources: own)
    var members = 0
    guard !each.isEmpty else { return try addOne(&tree, to: &record) }
    for column in each {
      guard let field = tree.find(column.value) else { continue }
      if column.hasMembers {
        try addMembers(of: field, &members, &tree, to: &record)
      } else {
        member = 0
        tree.setEach(name: column.name, value: column.value)
        try addOne(&tree, to: &record)
      }
    }
    tree.setEach(name: nil, value: nil)
  }

  /// Adds an event for each member of an object, and counts them; none for any other field.
  private mutating func addMembers(
    of object: Field, _ count: inout Int, _ tree: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard tree.isObject(object) else { return }
    for field in tree.children(of: object) where !tree.isNull(field) {
      tree.setEach(member: field)
      count += 1
      member = count
      try addOne(&tree, to: &record)
      try record.requireSize()
    }
  }

  private mutating func addOne(
    _ tree: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard let kind = try kind(tree) else { return }
    try requireRoom(in: kind, tree)
    let timeField = tree.findFilled(self[.time])
    if timeField == nil, index > 0, hasOwnTime { return try requireNoNumber(tree) }
    let time = try time(timeField, &tree)
    let index = record.add(kind, at: time)
    try fill(&record.events[index], &tree)
    try addReward(after: index, tree, to: &record)
  }

  /// Checks that an event of a row that says its kind holds all that the row has.
  private func requireRoom(in kind: EventKind, _ tree: FieldTree) throws(Rejection) {
    for index in partial.indices where !partial[index].kinds.contains(kind) {
      guard tree.findFilled(partial[index].source) != nil else { continue }
      let (source, field) = (partial[index].entry.source.text, partial[index].entry.field.text)
      throw Rejection(
        .event,
        "\(source), the \(field), is not empty and a \(kind.name) cannot hold it; map another event of "
          + "the row for it, as in 2.type: =conversion, 2.\(field): COLUMN")
    }
  }

  /// Checks that an event without time, which is not there, has no value that would be lost with it.
  private func requireNoNumber(_ tree: FieldTree) throws(Rejection) {
    for field in [EventField.Plain.revenue, .value] {
      guard let content = tree.findFilled(self[field]), !tree.isConstant(content),
        let number = tree.number(content), number != 0
      else { continue }
      throw Rejection(
        .time,
        "\(text(.time)), the time of the event, is empty and \(text(field)), its \(field.name), is "
          + "\(number); leave out the event's own time to date it by the row's")
    }
  }

  /// Returns the kind; nil if the event is not there because its variant or goal is empty.
  private func kind(_ tree: FieldTree) throws(Rejection) -> EventKind? {
    if let type = self[.type] {
      guard let field = tree.findFilled(type) else {
        throw Rejection(.event, "\(text(.type)), the type, is empty")
      }
      let name = tree.string(field)
      guard let kind = EventKind(name: name), !kind.isLifeCycle else {
        throw Rejection(
          .event,
          "the type \"\(name.prefix(40))\" must be \(EventKind.recorded)")
      }
      return kind
    }
    if let variant = self[.variant] { return tree.findFilled(variant) == nil ? nil : .decision }
    if let goal = self[.goal] {
      return tree.findFilled(goal) == nil ? nil : try kindOfGoal(tree)
    }
    return tree.findFilled(self[.kind]) == nil ? nil : .dataPoint
  }

  /// A revenue makes a conversion, a value a goal; where both are empty, the fields that are mapped decide.
  private func kindOfGoal(_ tree: FieldTree) throws(Rejection) -> EventKind {
    switch (tree.findFilled(self[.value]) != nil, tree.findFilled(self[.revenue]) != nil) {
    case (true, true):
      throw Rejection(
        .event, "it has a value, as goals have, and a revenue, as conversions have; map the type")
    case (true, false): return .goal
    case (false, true): return .conversion
    case (false, false):
      if self[.value] == nil, self[.revenue] != nil { return .conversion }
      return self[.experiment] != nil || self[.value] != nil ? .goal : .conversion
    }
  }

  private func time(
    _ field: Field?, _ tree: inout FieldTree
  ) throws(Rejection) -> Timestamp {
    guard let field else { throw Rejection(.time, "\(text(.time)) is empty") }
    guard tree.isConstant(field) else { return try tree.time(field, for: .event(index)) }
    guard let time = FieldTimes.constant(tree.text(field).span) else {
      throw Rejection(.time, "\(text(.time)) is not a time")
    }
    return time
  }
}
