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
    for members in shape.members {
      guard let list = members.list.find(in: fields) else { continue }
      let isObject = fields.nameElements(of: list, by: members.name, members.value)
      if isObject { fields.lists.append((list, members.prefix)) }
    }
    if let what = shape.what { _ = try fields.require(among: what) }
    let place = shape.cases.indices.first { index in
      shape.cases[index].conditions.allSatisfy { $0.holds(in: fields) }
    }
    guard let place else { return record.ignore(Self.otherKinds) }
    let found = shape.cases[place]
    if case .ignored(let kind) = found.content { return record.ignore(kind) }
    let (timeField, timeName) = fields.takeNamed(among: shape.time)
    let time = try fields.time(timeField, named: timeName.string)
    record.received = fields.receivedTime(shape.received?.find(in: fields))
    if let offset = shape.receivedAfter?.find(in: fields).flatMap({ fields.number($0) }), offset.magnitude < 1e16 {
      record.received = Timestamp(microseconds: time.microseconds + Int64(offset))
    }
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
      keep(shape.kept, in: &fields)
      let index = try record.add(.decision, at: time, unit: unit, fields)
      try fields.set(.experiment, of: &record.events[index], to: experiment)
      try fields.set(.variant, of: &record.events[index], to: variant)
      try fill(&record.events[index], found, &fields)
      try fields.addUnused(to: .context, of: &record.events[index])
    case .decisions(let ending, let object, let otherwise):
      let members = members(of: object, endingIn: Array(ending.utf8), fields)
      guard !members.isEmpty else { return record.ignore(otherwise) }
      try read(members, endingIn: ending.utf8.count, &fields, subject, into: &record)
    case .conversion(let goal, let revenue, let ofRefunds):
      let goal = try fields.require(among: goal)
      let names = ofRefunds.flatMap { Refund.isNamed(by: fields.text(goal)) ? $0 : nil } ?? revenue
      let (amount, name) = fields.takeNamed(among: names)
      keep(shape.kept, in: &fields)
      let index = try record.add(.conversion, at: time, unit: unit, fields)
      try fields.set(.goal, of: &record.events[index], to: goal)
      try fields.setRevenue(
        of: &record.events[index], to: amount, named: name.string, units: Double(found.units))
      try fields.addUnused(to: .metadata, of: &record.events[index])
    case .dataPoints(let kind, let object, let otherwise):
      try record.addDataPoints(of: object.find(in: fields), kind: kind, at: time, unit: unit, fields)
      if record.count == 0 { record.ignore(otherwise) }
    }
  }

  private func keep(_ names: FieldNames?, in fields: inout FieldTree) {
    guard let names else { return }
    for index in 0..<names.count { if let field = names[index].find(in: fields) { fields.keep(field) } }
  }

  /// Adds what few decisions have.
  private func fill(
    _ event: inout EventRecord, _ found: RecordCase, _ fields: inout FieldTree
  ) throws(Rejection) {
    if let status = found.status { event.status = status }
    if let names = found.propensity {
      let (field, name) = fields.takeNamed(among: names)
      event.propensity = try fields.number(field, named: name.string)
    }
    try fields.set(.policy, of: &event, to: fields.take(among: found.policy))
    for object in found.features { fields.addFeatures(of: object.find(in: fields), to: &event) }
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
