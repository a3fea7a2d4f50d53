import Events

/// A shape as the text of a mapping, for users who copy it and change what their records have otherwise.
struct ShapeMapping {
  private enum Line: Equatable {
    case note(String)
    case entry(field: String, EventMapping.Source)
  }

  private let shape: RecordShape
  private var all: [Line] = []
  /// The number of events so far.
  private var count = 0

  init(_ shape: RecordShape) {
    self.shape = shape
    for members in shape.members {
      add("members.\(members.list.text)", .column("\(members.name.text), \(members.value.text)"))
    }
    for index in shape.cases.indices { add(index) }
  }

  /// The lines of the YAML file.
  var lines: [String] {
    all.map { line in
      switch line {
      case .note(let text): "# \(text)"
      case .entry(let field, let source): "\(MappingText.key(field)): \(MappingText.scalar(source))"
      }
    }
  }

  /// The entries as `--map` takes them.
  var entries: [String] {
    all.compactMap { line in
      if case .entry(let field, let source) = line { source.argument(of: field) } else { nil }
    }
  }

  private mutating func add(_ index: Int) {
    switch shape.cases[index].content {
    case .ignored(let kind):
      let note = Line.note("--format counts \(kind)")
      if all.last != note { all.append(note) }
    case .decisions(let ending, let object, _):
      all.append(.note("--format also makes a decision of each member of \(object.text) that ends in \(ending)"))
    case .decision(let experiment, let variant):
      begin(index, tellsKind(index) ? nil : .decision)
      add("experiment", experiment, in: shape.cases[index].object)
      add("variant", variant, in: shape.cases[index].object)
      if let propensity = shape.cases[index].propensity { add("propensity", propensity) }
      if let policy = shape.cases[index].policy { add("policy", policy) }
      let features = shape.cases[index].features.map { Self.members(of: $0) }
      if !features.isEmpty { add("features.*", .column(features.joined(separator: ", "))) }
      if let status = shape.cases[index].status { add("status", .constant(status.name)) }
      for kept in shape.kept?.strings ?? [] { add("context.\(kept)", .column(kept)) }
      add("context.*", .column("*"))
    case .conversion(let goal, let revenue, let ofRefunds):
      begin(index, .conversion)
      add("goal", goal)
      let units = shape.cases[index].units
      add("revenue", units == 1 ? .column(revenue.text) : .column("\(revenue.text) / \(units)"))
      if let ofRefunds { all.append(.note("and of goals that are named as refunds, with --format: \(ofRefunds.text)")) }
      add("negative", .constant("{refund}"))
      add("metadata.*", .column("*"))
    case .dataPoints(let kind, let object, _):
      begin(index, .dataPoint)
      add("each", .column(Self.members(of: object)))
      add("kind", .constant(kind))
      add("key", .column("{column}"))
      add("value", .column("{value}"))
    }
  }

  /// Adds what all events have, and the conditions.
  private mutating func begin(_ index: Int, _ kind: EventKind?) {
    let unit = shape.cases[index].unit
    count += 1
    if count == 1 { add("time", shape.time) }
    if count == 1 || unit != nil { add("unit", unit ?? shape.unit) }
    addID()
    if let kind { add("type", .constant(kind.name)) }
    let wanted = condition(index, isWanted: true)
    let asked = wanted.flatMap { $0.contents.isEmpty ? nil : $0.field }
    for condition in [wanted, condition(index, isWanted: false, but: asked)].compactMap(\.self) {
      let contents = condition.contents.isEmpty ? [MappedCondition.any] : condition.contents
      let text = "\(condition.field) == \(contents.joined(separator: " | "))"
      add(condition.isWanted ? "when" : "unless", .column(text))
    }
  }

  /// Adds the id if it is unique by itself.
  private mutating func addID() {
    guard let id = shape.id else { return }
    guard shape.idScope.isEmpty else {
      let scope = shape.idScope.map(\.text).joined(separator: ", ")
      if count == 1 { all.append(.note("only --format makes ids, of \(scope) and \(id.text): an event that is")) }
      if count == 1 { all.append(.note("delivered again with other content counts twice here")) }
      return
    }
    add("id", id)
    guard count == 1 else { return }
    add("unique", .constant("true"))
    if let loose = shape.looseID { all.append(.note("else, with --format, \(loose.text), which others may share")) }
  }

  /// Returns whether a decision is told by its variant, because records without one are counted.
  private func tellsKind(_ index: Int) -> Bool {
    shape.cases[..<index].contains { part in
      if case .ignored = part.content { part.conditions.count > 1 } else { false }
    }
  }

  private typealias Condition = (field: String, contents: [String], isWanted: Bool)

  private func conditions(_ index: Int) -> [Condition] {
    shape.cases[index].conditions.map { ($0.field.text, $0.contents?.strings ?? [], $0.isWanted) }
  }

  /// Returns the case's own condition of a kind, or else what the cases before it leave of a column.
  private func condition(_ index: Int, isWanted: Bool, but asked: String? = nil) -> Condition? {
    let own = conditions(index)
    if let own = own.first(where: { $0.isWanted == isWanted }) { return own }
    let before = (0..<index).map(conditions).filter { $0.count == 1 }.joined()
    let known = own.map(\.field) + [asked].compactMap(\.self)
    let first = before.first { $0.isWanted != isWanted && !known.contains($0.field) }
    guard let first else { return nil }
    let taken = before.filter { $0.field == first.field && $0.isWanted }.flatMap(\.contents)
    let left = isWanted ? first.contents.filter { !taken.contains($0) } : taken
    return (first.field, left, isWanted)
  }

  private static func members(of objects: FieldNames) -> String {
    objects.strings.map { "\($0).*" }.joined(separator: " | ")
  }

  private mutating func add(_ field: String, _ names: FieldNames, in object: FieldNames? = nil) {
    let prefix = object.map { "\($0.text)." } ?? ""
    add(field, .column(names.strings.map { prefix + $0 }.joined(separator: " | ")))
  }

  private mutating func add(_ field: String, _ source: EventMapping.Source) {
    all.append(.entry(field: (count > 1 ? "\(count)." : "") + field, source))
  }
}
