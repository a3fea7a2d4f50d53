import Events

/// One event of a mapping, with its sources ready to be looked up.
struct MappedEvent: Sendable {
  typealias Content = MappedSource.Content

  /// The texts of an event that are copied as they are.
  private static let texts: [(EventField.Plain, EventRecord.TextField)] = [
    (.point, .point), (.slot, .slot), (.policy, .policy), (.reason, .reason), (.key, .key),
  ]

  let isFirst: Bool
  private let sources: MappedSources
  private let texts: [(field: EventRecord.TextField, source: MappedSource)]
  private let context: [(name: [UInt8], source: MappedSource)]
  private let metadata: [(name: [UInt8], source: MappedSource)]
  private let features: [(variant: [UInt8], attributes: [(name: [UInt8], source: MappedSource)])]
  private let keepsContext: Bool
  private let keepsMetadata: Bool
  private let each: [ColumnPath]
  private let hasOwnTime: Bool
  private let experiment: [UInt8]?
  private var times = FieldTimes()

  init(_ mapping: EventMapping, _ index: Int, experiment: String?) {
    let template = mapping.events[index]
    isFirst = index == 0
    hasOwnTime = template[.time] != nil
    self.experiment = experiment.map { Array($0.utf8) }
    sources = MappedSources { mapping.source(of: $0, event: index) }
    let sources = sources
    texts = Self.texts.compactMap { plain, field in
      sources[plain].map { (field: field, source: $0) }
    }
    var lists = Lists()
    for entry in template.entries { lists.add(entry) }
    (context, metadata, features) = (lists.context, lists.metadata, lists.features)
    (keepsContext, keepsMetadata) = (lists.keepsContext, lists.keepsMetadata)
    if case .column(let names)? = template[.each] {
      each = names.split(separator: ",").map { ColumnPath(String($0)) }
    } else {
      each = []
    }
  }

  /// The attributes of a template, by list.
  private struct Lists {
    var context: [(name: [UInt8], source: MappedSource)] = []
    var metadata: [(name: [UInt8], source: MappedSource)] = []
    var features: [(variant: [UInt8], attributes: [(name: [UInt8], source: MappedSource)])] = []
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
        let (variant, attribute) = (Array(variant.utf8), (name: Array(name.utf8), source: source))
        if let place = features.firstIndex(where: { $0.variant == variant }) {
          features[place].attributes.append(attribute)
        } else {
          features.append((variant: variant, attributes: [attribute]))
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
    let timeContent = sources[.time]?.take(&tree, column)
    if timeContent == nil, !isFirst, hasOwnTime { return }
    let time = try time(timeContent, tree)
    let index = record.add(kind, at: time)
    try fill(&record.events[index], &tree, column)
    try addReward(after: index, &tree, column, to: &record)
  }

  /// Returns the kind; nil if the event is not there because its variant or goal is empty.
  private func kind(
    _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> EventKind? {
    if let type = sources[.type] {
      guard let content = type.take(&tree, column) else {
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
      return variant.take(&tree, column) == nil ? nil : .decision
    }
    if let goal = sources[.goal] {
      guard goal.take(&tree, column) != nil else { return nil }
      return sources[.experiment] != nil || sources[.value] != nil ? .goal : .conversion
    }
    return sources[.kind]?.take(&tree, column) == nil ? nil : .dataPoint
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

  private func fill(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    event[.unit] = try require(.unit, &event, &tree, column)
    for (field, source) in texts {
      if let content = source.take(&tree, column) {
        event[field] = event.add(tree.bytes(of: content))
      }
    }
    if let content = sources[.id]?.take(&tree, column) {
      event[.id] = event.add(tree.bytes(of: content))
    }
    switch event.kind {
    case .decision: try fillDecision(&event, &tree, column)
    case .goal:
      try fillExperiment(&event, &tree, column)
      event[.goal] = try require(.goal, &event, &tree, column)
      event.value = try number(.value, &tree, column)
    case .conversion:
      event[.goal] = try require(.goal, &event, &tree, column)
      event.revenue = try number(.revenue, &tree, column)
      if case .field(let field)? = sources[.negative]?.take(&tree, column) {
        event.negative = tree.flag(field)
      }
    default:
      event[.dataKind] = try require(.kind, &event, &tree, column)
      if let content = sources[.value]?.take(&tree, column) {
        event.dataValue = tree.value(content, for: &event)
      }
    }
    try fillStatus(&event, &tree, column)
    try fillLists(&event, &tree, column)
  }

  private func fillDecision(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    try fillExperiment(&event, &tree, column)
    event[.variant] = try require(.variant, &event, &tree, column)
    event.propensity = try number(.propensity, &tree, column)
    if let content = sources[.choices]?.take(&tree, column) {
      event.hasChoices = true
      for part in tree.parts(of: content) { event.choices.append(event.add(part)) }
    }
    guard let content = sources[.probabilities]?.take(&tree, column) else { return }
    event.hasProbabilities = true
    for part in tree.parts(of: content) {
      guard let number = NumberText.double(part.span) else {
        throw Rejection(
          .number,
          "\(sources[.probabilities]?.text ?? "") has \"\(String(decoding: part.prefix(40), as: UTF8.self))\" and must be a list of numbers")
      }
      event.probabilities.append(number)
    }
  }

  private func fillExperiment(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    if sources[.experiment] != nil {
      event[.experiment] = try require(.experiment, &event, &tree, column)
    } else if let experiment {
      event[.experiment] = event.add(experiment[...])
    }
  }

  private func fillStatus(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    guard let content = sources[.status]?.take(&tree, column) else { return }
    let name = String(decoding: tree.bytes(of: content), as: UTF8.self)
    guard let status = EventStatus.allCases.first(where: { $0.name == name }) else {
      let known = EventStatus.allCases.map(\.name).joined(separator: ", ")
      throw Rejection(.event, "the status \"\(name.prefix(40))\" must be one of \(known)")
    }
    event.status = status
  }

  private func fillLists(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    for (name, source) in context {
      guard let content = source.take(&tree, column) else { continue }
      event.hasContext = true
      event.context.append(attribute(name, content, &event, tree))
    }
    for (name, source) in metadata {
      guard let content = source.take(&tree, column) else { continue }
      event.hasMetadata = true
      event.metadata.append(attribute(name, content, &event, tree))
    }
    for (variant, attributes) in features {
      let start = event.features.count
      for (name, source) in attributes {
        guard let content = source.take(&tree, column) else { continue }
        event.features.append(attribute(name, content, &event, tree))
      }
      guard event.features.count > start else { continue }
      event.hasFeatures = true
      event.featureGroups.append(
        EventRecord.FeatureGroup(
          variant: event.add(variant[...]), count: event.features.count - start))
    }
    if keepsContext { try tree.addUnused(to: .context, of: &event) }
    if keepsMetadata { try tree.addUnused(to: .metadata, of: &event) }
  }

  private func attribute(
    _ name: [UInt8], _ content: Content, _ event: inout EventRecord, _ tree: FieldTree
  ) -> EventRecord.Attribute {
    EventRecord.Attribute(
      name: event.add(name[...]), value: tree.value(content, for: &event))
  }

  /// Adds the goal `reward` after a decision, if there is a reward.
  private func addReward(
    after index: Int, _ tree: inout FieldTree, _ column: MappedColumn?,
    to record: inout ImportedRecord
  ) throws(Rejection) {
    guard record.events[index].kind == .decision,
      let value = try number(.reward, &tree, column)
    else { return }
    let goal = record.add(.goal, at: record.events[index].time)
    for field in [EventRecord.TextField.unit, .experiment, .point, .slot] {
      let slice = record.events[index][field]
      guard slice.isPresent else { continue }
      let text = record.events[index].bytes[slice.range]
      record.events[goal][field] = record.events[goal].add(text)
    }
    record.events[goal][.goal] = record.events[goal].add("reward")
    record.events[goal].value = value
    let id = record.events[index][.id]
    guard id.isPresent else { return }
    let text = record.events[index].bytes[id.range] + Array("/reward".utf8)
    record.events[goal][.id] = record.events[goal].add(text[...])
  }

  private func require(
    _ field: EventField.Plain, _ event: inout EventRecord, _ tree: inout FieldTree,
    _ column: MappedColumn?
  ) throws(Rejection) -> EventRecord.Slice {
    guard let source = sources[field] else {
      throw Rejection(.event, "a \(event.kind.name) needs \(field.name), which is not mapped")
    }
    guard let content = source.take(&tree, column) else {
      throw Rejection(.event, "\(source.text), the \(field.name), is empty")
    }
    return event.add(tree.bytes(of: content))
  }

  private func number(
    _ field: EventField.Plain, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> Double? {
    guard let source = sources[field], let content = source.take(&tree, column) else { return nil }
    guard let number = tree.number(content) else {
      let text = String(decoding: tree.bytes(of: content).prefix(40), as: UTF8.self)
      throw Rejection(.number, "\(source.text) is \"\(text)\" and must be a number")
    }
    return number
  }
}
