import Events

extension MappedEvent {
  /// Fills an event from a record, of which a column may be an event of its own.
  func fill(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    event[.unit] = try require(.unit, &event, &tree, column)
    for (field, source) in texts {
      guard let content = source.takeFilled(&tree, column) else { continue }
      event[field] = event.add(tree.bytes(of: content))
    }
    fillID(&event, &tree, column)
    switch event.kind {
    case .decision: try fillDecision(&event, &tree, column)
    case .goal:
      try fillExperiment(&event, &tree, column)
      event[.goal] = try require(.goal, &event, &tree, column)
      event.value = try number(.value, &tree, column)
    case .conversion:
      event[.goal] = try require(.goal, &event, &tree, column)
      event.revenue = try number(.revenue, &tree, column)
      event.negative = try flag(.negative, &tree, column)
    default:
      event[.dataKind] = try require(.kind, &event, &tree, column)
      if let content = sources[.value]?.take(&tree, column) {
        event.dataValue = tree.value(content, for: &event)
      }
    }
    try fillStatus(&event, &tree, column)
    if event.kind == .conversion, hasOwnExperiment,
      let content = sources[.experiment]?.takeFilled(&tree, column)
    {
      // A conversion counts for all experiments of its unit.
      event.hasMetadata = true
      event.metadata.append(attribute(Array("experiment".utf8), content, &event, tree))
    }
    try fillLists(&event, &tree, column)
  }

  /// Sets the id. If several events of a record have the same, the second and further ones get `/2`, `/3` ... after it,
  /// and those of a column of their own its name, so that none is taken for a duplicate.
  private func fillID(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) {
    guard let source = sources[.id], let content = source.takeFilled(&tree, column) else { return }
    let start = event.bytes.count
    event.bytes.append(contentsOf: tree.bytes(of: content))
    event.bytes.append(contentsOf: idSuffix)
    if let column, !source.variesByColumn {
      event.bytes.append(UInt8(ascii: "/"))
      event.bytes.append(contentsOf: column.name)
    }
    event[.id] = EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private func fillDecision(
    _ event: inout EventRecord, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) {
    try fillExperiment(&event, &tree, column)
    event[.variant] = try require(.variant, &event, &tree, column)
    event.propensity = try number(.propensity, &tree, column)
    if let content = sources[.choices]?.takeFilled(&tree, column) {
      event.hasChoices = true
      for part in try tree.parts(of: content, "choices") {
        event.choices.append(event.add(part))
      }
    }
    if let content = sources[.probabilities]?.takeFilled(&tree, column) {
      try fillProbabilities(content, &event, tree)
    }
  }

  /// Sets the probabilities of the choices.
  private func fillProbabilities(
    _ content: Content, _ event: inout EventRecord, _ tree: FieldTree
  ) throws(Rejection) {
    event.hasProbabilities = true
    for part in try tree.parts(of: content, "probabilities") {
      guard let number = JSONNumber.double(of: part.span) else {
        let text = String(decoding: part.prefix(40), as: UTF8.self)
        throw Rejection(
          .number, "the probabilities have \"\(text)\" among them and must be a list of numbers")
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
    guard let content = sources[.status]?.takeFilled(&tree, column) else { return }
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
    // Each event of the record gets them.
    let root = tree.root
    if keepsContext, event.kind == .decision {
      try tree.addUnused(to: .context, of: &event, under: root, isLast: false)
    }
    if keepsMetadata, event.kind == .goal || event.kind == .conversion {
      try tree.addUnused(to: .metadata, of: &event, under: root, isLast: false)
    }
  }

  private func attribute(
    _ name: [UInt8], _ content: Content, _ event: inout EventRecord, _ tree: FieldTree
  ) -> EventRecord.Attribute {
    EventRecord.Attribute(
      name: event.add(name[...]), value: tree.value(content, for: &event))
  }

  /// Adds the goal `reward` after a decision, if there is a reward.
  func addReward(
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
    guard let content = source.takeFilled(&tree, column) else {
      throw Rejection(
        field == .unit ? .placeholder : .event, "\(source.text), the \(field.name), is empty")
    }
    return event.add(tree.bytes(of: content))
  }

  private func number(
    _ field: EventField.Plain, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> Double? {
    guard let source = sources[field], let content = source.takeFilled(&tree, column) else {
      return nil
    }
    if let number = tree.number(content) { return number }
    let text = String(decoding: tree.bytes(of: content).prefix(40), as: UTF8.self)
    if field == .reward || field == .value {
      if text.lowercased() == "true" { return 1 }
      if text.lowercased() == "false" { return 0 }
    }
    throw Rejection(.number, "\(source.text) is \"\(text)\" and must be a number")
  }

  private func flag(
    _ field: EventField.Plain, _ tree: inout FieldTree, _ column: MappedColumn?
  ) throws(Rejection) -> Bool? {
    guard let source = sources[field], let content = source.takeFilled(&tree, column) else {
      return nil
    }
    let text = String(decoding: tree.bytes(of: content), as: UTF8.self)
    switch text.lowercased() {
    case "true", "1": return true
    case "false", "0": return false
    default:
      throw Rejection(.event, "\(source.text) is \"\(text.prefix(40))\" and must be true or false")
    }
  }
}
