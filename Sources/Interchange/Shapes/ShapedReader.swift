import Events

/// Converts records to events by the shapes that a system gives them.
public struct ShapedReader: MemorylessReader {
  private let shapes: [RecordShape]

  init(_ shapes: [RecordShape]) { self.shapes = shapes }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    for index in shapes.indices where shapes[index].conditions.allSatisfy({ $0.holds(in: fields) }) {
      return try read(&fields, shapes[index], into: &record)
    }
    record.ignore(Self.otherKinds)
  }

  private static let otherKinds = "records of other kinds"

  private func read(
    _ fields: inout FieldTree, _ shape: RecordShape, into record: inout ImportedRecord
  ) throws(Rejection) {
    if let what = shape.what { _ = try fields.require(among: what) }
    let place = shape.cases.indices.first { index in
      shape.cases[index].conditions.allSatisfy { $0.holds(in: fields) }
    }
    guard let place else { return record.ignore(Self.otherKinds) }
    let found = shape.cases[place]
    if case .ignored(let kind) = found.content { return record.ignore(kind) }
    let timeField = shape.time.look(in: fields)
    if let timeField { fields.use(timeField.field) }
    let time = try fields.time(timeField?.field, named: shape.time[timeField?.index ?? 0].string)
    record.received = fields.receivedTime(shape.received?.find(in: fields))
    let unit = try fields.requireUnit(among: found.unit ?? shape.unit)
    let key = fields.take(among: shape.id)
    let hasKey = key.map { !fields.text($0).isEmpty } == true
    let looseKey = hasKey ? nil : fields.take(among: shape.looseID)
    for condition in found.conditions where condition.contents != nil { _ = fields.take(among: condition.field) }
    try read(&fields, found, shape, (time, unit), into: &record)
    guard let key, hasKey else { return record.identify(by: looseKey, fields) }
    record.hasUniqueIDs = true
    guard !shape.idScope.isEmpty else { return record.identify(by: fields.text(key)) }
    record.identify(joining: shape.idScope.map { $0.find(in: fields, asUnit: true) } + [key], of: fields)
  }

  private func read(
    _ fields: inout FieldTree, _ found: RecordCase, _ shape: RecordShape,
    _ subject: (time: Timestamp, unit: FieldTree.Field), into record: inout ImportedRecord
  ) throws(Rejection) {
    let (time, unit) = subject
    switch found.content {
    case .ignored(let kind): record.ignore(kind)
    case .decision(let experiment, let variant):
      let whole = fields.root
      fields.root = found.object?.find(in: fields) ?? whole
      defer { fields.root = whole }
      let (experiment, variant) = try (fields.require(among: experiment), fields.require(among: variant))
      fields.root = whole
      if let kept = shape.kept {
        for index in 0..<kept.count { if let field = kept[index].find(in: fields) { fields.keep(field) } }
      }
      try record.addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
      if let status = found.status { record.events[0].status = status }
    case .decisions(let ending, let object, let otherwise):
      let members = members(of: object, endingIn: Array(ending.utf8), fields)
      guard !members.isEmpty else { return record.ignore(otherwise) }
      try read(members, endingIn: ending.utf8.count, &fields, subject, into: &record)
    case .conversion(let goal, let revenue, let ofRefunds):
      let goal = try fields.require(among: goal)
      let found = revenue.look(in: fields)
      var amount = found?.field
      if let amount { fields.use(amount) }
      if amount.map({ fields.text($0).isEmpty }) != false, Refund.isNamed(by: fields.text(goal)) {
        amount = fields.take(among: ofRefunds) ?? amount
      }
      try record.addConversion(
        at: time, unit: unit, goal: goal, revenue: amount, named: revenue[found?.index ?? 0].string, &fields)
    case .dataPoints(let kind, let object, let otherwise):
      try record.addDataPoints(of: object.find(in: fields), kind: kind, at: time, unit: unit, fields)
      if record.count == 0 { record.ignore(otherwise) }
    }
  }

  private func members(of object: FieldNames, endingIn ending: [UInt8], _ fields: FieldTree) -> [FieldTree.Field] {
    let members = object.find(in: fields).map { fields.children(of: $0) } ?? []
    return members.filter { member in
      let name = fields.name(of: member)
      return name.count > ending.count && name.suffix(ending.count).elementsEqual(ending) && !fields.isNull(member)
    }
  }

  /// Adds a decision for each variant, with the same context.
  private func read(
    _ variants: [FieldTree.Field], endingIn count: Int, _ fields: inout FieldTree,
    _ subject: (time: Timestamp, unit: FieldTree.Field), into record: inout ImportedRecord
  ) throws(Rejection) {
    for variant in variants { fields.use(variant) }
    for variant in variants {
      let index = try record.add(.decision, at: subject.time, unit: subject.unit, fields)
      record.events[index][.experiment] = record.events[index].add(fields.name(of: variant).dropLast(count))
      try fields.set(.variant, of: &record.events[index], to: variant)
      var rest = fields
      try rest.addUnused(to: .context, of: &record.events[index])
      try record.requireSize()
    }
  }
}
