import Events
internal import Specifications

/// One event of a mapping, with its sources ready to be looked up.
struct MappedEvent: Sendable {
  typealias Content = MappedSource.Content

  /// The texts of an event that are copied as they are.
  private static let texts: [(EventField.Plain, EventRecord.TextField)] = [
    (.point, .point), (.slot, .slot), (.policy, .policy), (.reason, .reason), (.key, .key),
  ]

  let isFirst: Bool
  let sources: MappedSources
  let texts: [(field: EventRecord.TextField, source: MappedSource)]
  let context: [(name: [UInt8], source: MappedSource)]
  let metadata: [(name: [UInt8], source: MappedSource)]
  let features: [(variant: [UInt8], attributes: [(name: [UInt8], source: MappedSource)])]
  let keepsContext: Bool
  let keepsMetadata: Bool
  let each: [ColumnPath]
  /// The columns that are mapped to fields which only some kinds of events hold, if the rows decide the kind.
  private let partial: [(field: EventField, source: MappedSource)]
  private let hasOwnTime: Bool
  /// Whether the experiment is not only that of the first event.
  let hasOwnExperiment: Bool
  /// The suffix of the id if it is that of the first event.
  let idSuffix: [UInt8]
  let experiment: [UInt8]?
  private var times = FieldTimes()

  init(_ mapping: EventMapping, _ index: Int, experiment: String?) {
    let template = mapping.events[index]
    isFirst = index == 0
    hasOwnTime = template[.time] != nil
    hasOwnExperiment = template[.experiment] != nil
    let sharesID = index > 0 && template[.id] != nil && template[.id] == mapping.events[0][.id]
    idSuffix = sharesID ? Array("/\(index + 1)".utf8) : []
    self.experiment = experiment.map { Array($0.utf8) }
    sources = MappedSources { mapping.source(of: $0, event: index) }
    let sources = sources
    texts = Self.texts.compactMap { plain, field in
      sources[plain].map { (field: field, source: $0) }
    }
    var lists = Lists()
    for entry in template.entries { lists.add(entry) }
    (context, metadata, features) = (lists.context, lists.metadata, lists.features)
    let isOpen = mapping.kind(ofEvent: index) == nil
    partial = isOpen ? Self.partial(of: template) : []
    // Rows of several kinds keep the rest in the list that each has.
    keepsContext = lists.keepsContext || (isOpen && lists.keepsMetadata)
    keepsMetadata = lists.keepsMetadata || (isOpen && lists.keepsContext)
    if case .column(let names)? = template[.each] {
      each = EventMapping.columns(ofEach: names).map { ColumnPath($0) }
    } else {
      each = []
    }
  }

  /// Returns the columns of a template that not every kind of event has a field for.
  private static func partial(
    of template: EventMapping.Template
  ) -> [(field: EventField, source: MappedSource)] {
    let kinds = EventKind.allCases.filter { !$0.isLifeCycle }
    return template.entries.compactMap { entry in
      guard case .column(let name) = entry.source, name != "*",
        !kinds.allSatisfy({ entry.field.isHeld(by: $0) })
      else { return nil }
      return (field: entry.field, source: MappedSource(entry.source))
    }
  }

  /// The attributes of a template, by list.
  private struct Lists {
    var context: [(name: [UInt8], source: MappedSource)] = []
    var metadata: [(name: [UInt8], source: MappedSource)] = []
    var features: [(variant: [UInt8], attributes: [(name: [UInt8], source: MappedSource)])] = []
    private var placeOfVariant: [NameKey: Int] = [:]
    var keepsContext = false
    var keepsMetadata = false

    mutating func add(_ entry: EventMapping.Entry) {
      let source = MappedSource(entry.source)
      switch entry.field {
      case .plain: break
      case .context("*"): keepsContext = true
      case .metadata("*"): keepsMetadata = true
      case .context(let name): context.append((Array(name.utf8), source))
      case .metadata(let name): metadata.append((Array(name.utf8), source))
      case .features(let variant, let name):
        let attribute = (name: Array(name.utf8), source: source)
        if let place = placeOfVariant[NameKey(variant)] {
          features[place].attributes.append(attribute)
        } else {
          placeOfVariant[NameKey(variant)] = features.count
          features.append((variant: Array(variant.utf8), attributes: [attribute]))
        }
      }
    }
  }
}

extension MappedEvent {
  /// Adds the events of a record, unless what makes the event is empty.
  mutating func add(
    _ tree: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    if let when = sources[.when], !Self.holds(when.take(&tree, nil), tree) { return }
    if let unless = sources[.unless], Self.holds(unless.take(&tree, nil), tree) { return }
    guard !each.isEmpty else { return try add(&tree, nil, to: &record) }
    for path in each {
      guard let field = path.find(in: tree) else { continue }
      tree.use(field)
      try add(&tree, MappedColumn(name: Array(path.name.utf8), field: field), to: &record)
    }
  }

  private static func holds(_ content: Content?, _ tree: FieldTree) -> Bool {
    guard let content else { return false }
    let text = String(decoding: tree.bytes(of: content), as: UTF8.self).lowercased()
    return !["", "false", "no", "f", "n"].contains(text) && tree.number(content) != 0
  }

  private mutating func add(
    _ tree: inout FieldTree, _ column: MappedColumn?, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard let kind = try kind(&tree, column) else { return }
    try requireRoom(in: kind, &tree, column)
    let timeContent = sources[.time]?.takeFilled(&tree, column)
    if timeContent == nil, !isFirst, hasOwnTime { return try requireNoNumber(&tree, column) }
    let time = try time(timeContent, tree)
    let index = record.add(kind, at: time)
    try fill(&record.events[index], &tree, column)
    try addReward(after: index, &tree, column, to: &record)
  }

  /// Checks that an event of a row that says its kind holds all that the row has.
  private func requireRoom(
    in kind: EventKind, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    for (field, source) in partial where !field.isHeld(by: kind) {
      guard source.takeFilled(&tree, column) != nil else { continue }
      throw Rejection(
        .event,
        "\(source.text), the \(field.text), is not empty and a \(kind.name) cannot hold it; map "
          + "another event of the row for it, as in 2.type: =conversion, 2.\(field.text): COLUMN")
    }
  }

  /// Checks that an event without time, which is not there, has no value that would be lost with it.
  private func requireNoNumber(
    _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    for field in [EventField.Plain.revenue, .value] {
      guard let source = sources[field], let content = source.takeFilled(&tree, column),
        case .field = content, let number = tree.number(content), number != 0
      else { continue }
      throw Rejection(
        .time,
        "\(sources[.time]?.text ?? "the time"), the time of the event, is empty and \(source.text), its "
          + "\(field.name), is \(number); leave out the event's own time to date it by the row's")
    }
  }

  /// Returns the kind; nil if the event is not there because its variant or goal is empty.
  private func kind(
    _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> EventKind? {
    if let type = sources[.type] {
      guard let content = type.takeFilled(&tree, column) else {
        throw Rejection(.event, "\(type.text), the type, is empty")
      }
      let name = String(decoding: tree.bytes(of: content), as: UTF8.self)
      guard let kind = EventKind.allCases.first(where: { $0.name == name }), !kind.isLifeCycle
      else {
        throw Rejection(
          .event,
          "the type \"\(name.prefix(40))\" must be decision, goal, conversion or dataPoint")
      }
      return kind
    }
    if let variant = sources[.variant] {
      return variant.takeFilled(&tree, column) == nil ? nil : .decision
    }
    if let goal = sources[.goal] {
      guard goal.takeFilled(&tree, column) != nil else { return nil }
      return try kindOfGoal(&tree, column)
    }
    return sources[.kind]?.takeFilled(&tree, column) == nil ? nil : .dataPoint
  }

  /// A revenue makes a conversion, a value a goal; where both are empty, the fields that are mapped decide.
  private func kindOfGoal(
    _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> EventKind {
    let hasValue = sources[.value]?.takeFilled(&tree, column) != nil
    let hasRevenue = sources[.revenue]?.takeFilled(&tree, column) != nil
    switch (hasValue, hasRevenue) {
    case (true, true):
      throw Rejection(
        .event, "it has a value, as goals have, and a revenue, as conversions have; map the type")
    case (true, false): return .goal
    case (false, true): return .conversion
    case (false, false):
      if sources[.value] == nil, sources[.revenue] != nil { return .conversion }
      return sources[.experiment] != nil || sources[.value] != nil ? .goal : .conversion
    }
  }

  private mutating func time(
    _ content: Content?, _ tree: FieldTree
  ) throws(Rejection) -> Timestamp {
    switch content {
    case .field(let field): return try times.read(field, of: tree)
    case nil: throw Rejection(.time, "\(sources[.time]?.text ?? "the time") is empty")
    case .text(let bytes):
      guard let time = FieldTimes.constant(bytes) else {
        throw Rejection(.time, "\(sources[.time]?.text ?? "the time") is not a time")
      }
      return time
    }
  }
}
