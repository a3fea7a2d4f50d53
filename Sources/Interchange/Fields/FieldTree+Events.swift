public import Events

extension FieldTree {
  /// The maximum number of bytes of an event's texts when its nested fields are named.
  static var longest: Int { 256 << 20 }

  /// Sets a text of an event to the content of a field; without a field, nothing is set.
  ///
  /// - Throws: ``Rejection`` `event` if the field is an object or a list of a JSON record, which is no name.
  public func set(_ text: EventRecord.TextField, of event: inout EventRecord, to field: Field?) throws(Rejection) {
    guard let field else { return }
    try requireName(field, "the \(text)")
    set(text, of: &event, toValue: field)
  }

  /// Throws unless a field can be a name.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - what: What it is in a message: `the variant`.
  /// - Throws: ``Rejection`` `event` if it is an object or a list of a JSON record.
  func requireName(_ field: Field, _ what: @autoclosure () -> String) throws(Rejection) {
    // What a cell of a table has is a text, whatever it looks like.
    guard !isCSV, isObject(field) || isList(field) else { return }
    throw Rejection(.event, "\(what()) is \(isList(field) ? "a list" : "an object") and must be a text or a number")
  }

  /// Sets a text of an event to the content of a field, as its JSON if it is an object or a list.
  func set(_ text: EventRecord.TextField, of event: inout EventRecord, toValue field: Field) {
    event[text] = event.add(bytes.span.extracting(nodes[field.index].range))
  }

  /// Adds every field under an object that no reader has used to a list of attributes: `context` of decisions,
  /// `metadata` of goals and conversions. A field of a nested object gets the name `outer.inner`.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - event: The event.
  ///   - object: The object whose members are added under their own names; nil for the root.
  /// - Throws: ``Rejection`` `event` if two fields have the same name.
  /// - Complexity: O(fields).
  public mutating func addUnused(
    to list: AttributeList, of event: inout EventRecord, under object: Field? = nil
  ) throws(Rejection) {
    try addUnused(to: list, of: &event, under: object ?? root, isLast: true)
  }

  /// Adds every field under an object that no reader has used to a list of attributes, with a text of the event and a
  /// point before their names unless the text is empty. They are marked as used if `isLast`, as no further event gets
  /// them then.
  mutating func addUnused(
    to list: AttributeList, of event: inout EventRecord, under object: Field,
    prefix: EventRecord.Slice = EventRecord.Slice(start: 0, count: 0), isLast: Bool = true
  ) throws(Rejection) {
    for (field, name) in lists where !isUsed(field) {
      let prefix = name.map { event.add($0.string) } ?? event.add(self.name(of: field))
      try add(under: field, prefix: prefix, isLast, list, &event)
      use(field)
    }
    try add(under: object, prefix: prefix, isLast, list, &event)
    try event.requireNames()
  }

  private mutating func add(
    under object: Field, prefix: EventRecord.Slice, _ isLast: Bool, _ list: AttributeList,
    _ event: inout EventRecord
  ) throws(Rejection) {
    let end = Int(nodes[object.index].next)
    var index = object.index + 1
    while index < end {
      let node = nodes[index]
      let field = Field(index: index)
      index = Int(node.next)
      if node.isUsed { continue }
      if case .null = node.kind { continue }
      let name = try addName(node, prefix: prefix, &event)
      if case .object = node.kind {
        try add(under: field, prefix: name, isLast, list, &event)
        continue
      }
      if isLast { nodes[field.index].isUsed = true }
      let attribute = EventRecord.Attribute(name: name, value: value(field, for: &event))
      event.add(attribute, to: list)
    }
  }

  private func addName(
    _ node: JSONNode, prefix: EventRecord.Slice, _ event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Slice {
    let own = bytes.span.extracting(node.nameRange)
    guard prefix.count > 0 else { return event.add(own) }
    // A long name is repeated for each field of its object.
    guard event.bytes.count + prefix.range.count + own.count < Self.longest else {
      throw Rejection(
        .event, "the names of nested fields take more than 256 MiB; shorten the outer ones")
    }
    let start = event.bytes.count
    if prefix.range.count > 1 << 10 {
      let outer = Array(event.bytes[prefix.range])
      event.bytes.append(contentsOf: outer)
      event.bytes.append(UInt8(ascii: "."))
    } else {
      // Without a copy.
      event.bytes.append(
        contentsOf: repeatElement(UInt8(ascii: "."), count: prefix.range.count + 1))
      var text = event.bytes.mutableSpan
      for offset in 0..<prefix.range.count {
        text[start + offset] = text[prefix.range.lowerBound + offset]
      }
    }
    let end = event.add(own)
    return EventRecord.Slice(start: start, count: Int(end.start + end.count) - start)
  }
}

extension EventRecord {
  /// Copies a text into the record and returns its slice.
  mutating func add(_ text: Span<UInt8>) -> Slice {
    let start = bytes.count
    // Safety: the pointer does not leave the closure.
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    return Slice(start: start, count: text.count)
  }
}

extension ImportedRecord {
  /// Adds an event of a unit and returns its index in ``events``.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - time: The time.
  ///   - unit: The field with the unit.
  ///   - tree: The fields.
  /// - Returns: The index.
  /// - Throws: ``Rejection`` `event` if the unit is an object or a list.
  public mutating func add(
    _ kind: EventKind, at time: Timestamp, unit: FieldTree.Field, _ tree: FieldTree
  ) throws(Rejection) -> Int {
    let index = add(kind, at: time)
    try tree.set(.unit, of: &events[index], to: unit)
    return index
  }

  /// Adds a decision with the unused fields as its context.
  ///
  /// - Throws: ``Rejection`` `event` if two fields have the same name.
  mutating func addDecision(
    at time: Timestamp, unit: FieldTree.Field, experiment: FieldTree.Field,
    variant: FieldTree.Field, _ fields: inout FieldTree
  ) throws(Rejection) {
    let index = try add(.decision, at: time, unit: unit, fields)
    try fields.set(.experiment, of: &events[index], to: experiment)
    try fields.set(.variant, of: &events[index], to: variant)
    try fields.addUnused(to: .context, of: &events[index])
  }

  /// Adds a data point for each member of an object, such as the traits of a user.
  ///
  /// - Parameters:
  ///   - object: The object; without one, nothing is added.
  ///   - kind: The kind of the data points. Their keys are the names of the members.
  ///   - time: The time.
  ///   - unit: The field with the unit.
  ///   - tree: The fields.
  /// - Throws: ``Rejection`` `event` if the data points take more than 256 MiB, because the unit is a long text.
  public mutating func addDataPoints(
    of object: FieldTree.Field?, kind: String, at time: Timestamp, unit: FieldTree.Field,
    _ tree: FieldTree
  ) throws(Rejection) {
    guard let object else { return }
    for member in tree.children(of: object) where !tree.isNull(member) {
      let index = try add(.dataPoint, at: time, unit: unit, tree)
      events[index][.dataKind] = events[index].add(kind)
      events[index][.key] = events[index].add(tree.name(of: member))
      events[index].dataValue = tree.value(member, for: &events[index])
      try requireSize()
    }
  }

  /// Sets the ids of all events from the key by which a system tells its records apart: the key itself for the first
  /// event, and `key/2`, `key/3` ... for further ones. Without a key, or if it is an empty text, nothing is set.
  ///
  /// - Parameters:
  ///   - key: The field with the key.
  ///   - tree: The fields.
  ///   - isUnique: Whether the system promises that no two events have the same key.
  public mutating func identify(
    by key: FieldTree.Field?, _ tree: FieldTree, isUnique: Bool = false
  ) {
    guard let key, !tree.text(key).isEmpty else { return }
    hasUniqueIDs = isUnique
    identify(by: tree.text(key))
  }

  /// Sets the ids of all events from the key by which a system tells its records apart: the key itself for the first
  /// event, and `key/2`, `key/3` ... for further ones.
  public mutating func identify(by key: ArraySlice<UInt8>) {
    for index in 0..<count {
      var id = events[index].add(key)
      if index > 0 {
        let suffix = events[index].add("/\(index + 1)")
        id.count += suffix.count
      }
      events[index][.id] = id
    }
  }
}
