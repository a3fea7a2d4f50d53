import Events

extension MappedEvent {
  /// Fills an event, which is reset, from a record.
  func fill(_ event: inout EventRecord, _ tree: inout FieldTree) throws(Rejection) {
    try fillUnit(&event, tree)
    for (field, source) in texts { try tree.set(field, of: &event, to: tree.findFilled(source)) }
    fillID(&event, tree)
    switch event.kind {
    case .decision: try fillDecision(&event, tree)
    case .goal:
      try fillExperiment(&event, tree)
      event[.goal] = try require(.goal, &event, tree)
      event.value = try number(.value, tree)
    case .conversion:
      event[.goal] = try require(.goal, &event, tree)
      let revenue = try number(.revenue, tree)
      guard !tellsRefunds else {
        event.setRevenue(revenue)
        break
      }
      event.revenue = revenue
      event.negative = try flag(.negative, tree)
    default:
      event[.dataKind] = try require(.kind, &event, tree)
      if let field = tree.find(self[.value]) {
        let number = divisor(of: .value, field, tree) == 1 ? nil : try number(.value, tree)
        event.dataValue = number.map { .number($0) } ?? tree.mappedValue(field, for: &event)
      }
    }
    try fillStatus(&event, tree)
    if event.kind == .conversion, let ownExperiment, tree.findFilled(ownExperiment.source) != nil {
      // A conversion counts for all experiments of its unit.
      add(ownExperiment, to: .metadata, of: &event, tree)
    }
    for source in chosenFeatures where event.kind == .decision { tree.addFeatures(of: tree.find(source), to: &event) }
    fillLists(&event, tree)
    // Each event of the record gets the other columns.
    let root = tree.root
    if keepsContext, event.kind == .decision {
      try tree.addUnused(to: .context, of: &event, under: root, isLast: false)
    }
    if keepsMetadata, event.kind == .goal || event.kind == .conversion {
      try tree.addUnused(to: .metadata, of: &event, under: root, isLast: false)
    }
  }

  /// Begins the bytes of an event with the texts that are the same in all records, and sets the unit.
  private func fillUnit(_ event: inout EventRecord, _ tree: FieldTree) throws(Rejection) {
    _ = event.add(names.span)
    event[.unit] = try require(.unit, &event, tree)
  }

  /// Sets the id. If several events of a record have the same, the second and further ones get `/2`, `/3` ... after it,
  /// members of an object too, and those of a column of their own its name, so that none is taken for a duplicate.
  private func fillID(_ event: inout EventRecord, _ tree: FieldTree, suffix: String = "") {
    guard let source = self[.id], let field = tree.findFilled(source) else { return }
    var id = event.add(tree.text(field))
    event.bytes.append(contentsOf: idSuffix)
    if member > 1 { event.bytes.append(contentsOf: "/\(member)".utf8) }
    if member == 0, !source.variesByColumn, let name = tree.find(.eachName) {
      event.bytes.append(UInt8(ascii: "/"))
      event.bytes.append(contentsOf: tree.text(name))
    }
    event.bytes.append(contentsOf: suffix.utf8)
    id.count = Int32(truncatingIfNeeded: event.bytes.count) - id.start
    event[.id] = id
  }

  private func fillDecision(_ event: inout EventRecord, _ tree: FieldTree) throws(Rejection) {
    try fillExperiment(&event, tree)
    event[.variant] = try require(.variant, &event, tree)
    event.propensity = try number(.propensity, tree)
    if let field = tree.findFilled(self[.choices]) {
      event.hasChoices = true
      try tree.forEachPart(of: field, "choices") { part in
        event.choices.append(event.add(tree.bytes.span.extracting(part)))
      }
    }
    if let field = tree.findFilled(self[.probabilities]) {
      event.hasProbabilities = true
      // That it is a list is checked before its elements.
      try tree.forEachPart(of: field, "probabilities") { _ in }
      try tree.forEachPart(of: field, "probabilities") { (part) throws(Rejection) in
        event.probabilities.append(try Self.probability(part, tree))
      }
    }
  }

  private static func probability(
    _ part: Range<Int>, _ tree: FieldTree
  ) throws(Rejection) -> Double {
    let text = tree.bytes.span.extracting(part)
    if let number = JSONNumber.double(of: text) { return number }
    let shown = text.extracting(first: 40).string
    throw Rejection(
      .number, "the probabilities have \"\(shown)\" among them and must be a list of numbers")
  }

  private func fillExperiment(_ event: inout EventRecord, _ tree: FieldTree) throws(Rejection) {
    if self[.experiment] != nil {
      event[.experiment] = try require(.experiment, &event, tree)
    } else if let experiment {
      event[.experiment] = experiment
    }
  }

  private func fillStatus(_ event: inout EventRecord, _ tree: FieldTree) throws(Rejection) {
    guard let field = tree.findFilled(self[.status]) else { return }
    let name = tree.string(field)
    guard let status = EventStatus.allCases.first(where: { $0.name == name }) else {
      let known = EventStatus.allCases.map(\.name).joined(separator: ", ")
      throw Rejection(.event, "the status \"\(name.prefix(40))\" must be one of \(known)")
    }
    event.status = status
  }

  private func fillLists(_ event: inout EventRecord, _ tree: FieldTree) {
    for attribute in context { add(attribute, to: .context, of: &event, tree) }
    for attribute in metadata { add(attribute, to: .metadata, of: &event, tree) }
    for (variant, attributes) in features {
      let start = event.features.count
      let values = attributes.compactMap { value($0, &event, tree) }
      event.features += values
      guard event.features.count > start else { continue }
      event.hasFeatures = true
      event.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: event.features.count - start))
    }
  }

  private func add(
    _ attribute: Attribute, to list: AttributeList, of event: inout EventRecord, _ tree: FieldTree
  ) {
    if let value = value(attribute, &event, tree) { event.add(value, to: list) }
  }

  private func value(
    _ attribute: Attribute, _ event: inout EventRecord, _ tree: FieldTree
  ) -> EventRecord.Attribute? {
    guard let field = tree.find(attribute.source) else { return nil }
    return EventRecord.Attribute(
      name: attribute.name, value: tree.mappedValue(field, for: &event))
  }

  /// Adds the goal `reward` after a decision, if there is a reward.
  func addReward(
    after index: Int, _ tree: FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard record.events[index].kind == .decision, let value = try number(.reward, tree) else {
      return
    }
    let goal = record.add(.goal, at: record.events[index].time)
    try fillReward(&record.events[goal], value, tree)
  }

  private func fillReward(
    _ event: inout EventRecord, _ value: Double, _ tree: FieldTree
  ) throws(Rejection) {
    try fillUnit(&event, tree)
    for (field, source) in texts where field == .point || field == .slot {
      try tree.set(field, of: &event, to: tree.findFilled(source))
    }
    fillID(&event, tree, suffix: "/reward")
    try fillExperiment(&event, tree)
    event[.goal] = event.add("reward")
    event.value = value
  }

  private func require(
    _ field: EventField.Plain, _ event: inout EventRecord, _ tree: FieldTree
  ) throws(Rejection) -> EventRecord.Slice {
    guard let source = self[field] else {
      throw Rejection(.event, "a \(event.kind.name) needs \(field.name), which is not mapped")
    }
    guard let content = tree.findFilled(source) else {
      throw Rejection(
        field == .unit ? .placeholder : .event, "\(text(field)), the \(field.name), is empty")
    }
    try tree.requireName(content, "\(text(field)), the \(field.name),")
    return event.add(tree.bytes.span.extracting(tree.nodes[content.index].range))
  }

  private func number(_ field: EventField.Plain, _ tree: FieldTree) throws(Rejection) -> Double? {
    guard let content = tree.findFilled(self[field]) else { return nil }
    if let number = tree.number(content) { return number / divisor(of: field, content, tree) }
    if field == .reward || field == .value, let flag = tree.flag(content) { return flag ? 1 : 0 }
    let shown = String(decoding: tree.text(content).prefix(40), as: UTF8.self)
    throw Rejection(.number, "\(text(field)) is \"\(shown)\" and must be a number")
  }

  private func divisor(of field: EventField.Plain, _ content: FieldTree.Field, _ tree: FieldTree) -> Double {
    self[field].map { tree.divisor(of: $0, content) } ?? 1
  }

  private func flag(_ field: EventField.Plain, _ tree: FieldTree) throws(Rejection) -> Bool? {
    guard let content = tree.findFilled(self[field]) else { return nil }
    if let flag = tree.flag(content) { return flag }
    throw Rejection(
      .event,
      "\(text(field)) is \"\(tree.string(content).prefix(40))\" and must be true or false")
  }
}
