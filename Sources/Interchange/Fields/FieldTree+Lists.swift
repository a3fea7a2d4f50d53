import Events

extension FieldTree {
  /// Returns the member of an object or the element of a list that follows another, which may be null; the first one
  /// after nil, and nil after the last one or of any other field.
  ///
  /// Unlike ``children(of:)``, this allocates nothing.
  public func child(after previous: Field?, of container: Field) -> Field? {
    guard nodes[container.index].kind.rawValue >= JSONNode.Kind.list.rawValue else { return nil }
    let index = previous.map { Int(nodes[$0.index].next) } ?? container.index + 1
    return index < Int(nodes[container.index].next) ? Field(index: index) : nil
  }

  /// Whether a reader has used a field.
  func isUsed(_ field: Field) -> Bool { nodes[field.index].isUsed }

  /// Returns whether the record has a field of this name, or its table a column, even without a value.
  func hasName(_ name: [UInt8]) -> Bool {
    if let columns {
      let hasName = columns.ranges.contains { columns.bytes[$0].elementsEqual(name) }
      guard !hasName, columns.isUpperCase else { return hasName }
      let upper = ColumnCase.upper(name)
      return columns.ranges.contains { columns.bytes[$0].elementsEqual(upper) }
    }
    var place: Field?
    while let member = child(after: place, of: root) {
      if self.name(of: member).elementsEqual(name) { return true }
      place = member
    }
    return false
  }

  /// Adds a field to a list of attributes under a name of its own.
  ///
  /// - Parameters:
  ///   - field: The field; an object or a list becomes the text of its JSON.
  ///   - prefix: What the name begins with; it may be empty.
  ///   - name: The rest of the name.
  ///   - list: The list.
  ///   - event: The event, whose names are not checked; call `requireNames()` after the last.
  ///   - asInteger: Whether a text is to be read as an integer if it is one.
  func add(
    _ field: Field, prefix: String, name: ArraySlice<UInt8>, to list: AttributeList,
    of event: inout EventRecord, asInteger: Bool = false
  ) {
    let start = event.bytes.count
    event.bytes.append(contentsOf: prefix.utf8)
    event.bytes.append(contentsOf: name)
    let slice = EventRecord.Slice(start: start, count: event.bytes.count - start)
    let integer = asInteger ? Int64(string(field)) : nil
    let value: EventRecord.Value =
      switch integer {
      case let integer? where integer.magnitude > 1 << 53: .integer(integer)
      case let integer?: .number(Double(integer))
      case nil: value(field, for: &event)
      }
    event.add(EventRecord.Attribute(name: slice, value: value), to: list)
  }

  /// Adds a list of objects that each have a name and a value, such as
  /// `[{"id":"1","name":"plan","value":"pro"}]`, to a list of attributes: `attributes.plan` is `pro`. An object
  /// without a value is left out.
  ///
  /// - Parameters:
  ///   - objects: The list, which is marked as used; anything else is left alone.
  ///   - prefix: What the names begin with, with the dot.
  ///   - names: The members that have the name; the first that there is counts.
  ///   - list: The list.
  ///   - event: The event, whose names are not checked.
  mutating func addNamed(
    _ objects: Field, prefix: String, names: (StaticString, StaticString), to list: AttributeList,
    of event: inout EventRecord
  ) {
    guard isList(objects), hasNames(objects, names) else { return }
    use(objects)
    var place: Field?
    while let object = child(after: place, of: objects) {
      place = object
      guard let value = find("value", in: object),
        let name = find(names.0, in: object) ?? find(names.1, in: object)
      else { continue }
      add(value, prefix: prefix, name: text(name), to: list, of: &event)
    }
  }

  /// Returns whether every element of a list is an object with a name.
  private func hasNames(_ objects: Field, _ names: (StaticString, StaticString)) -> Bool {
    var place: Field?
    while let object = child(after: place, of: objects) {
      guard find(names.0, in: object) ?? find(names.1, in: object) != nil else { return false }
      place = object
    }
    return true
  }
}

extension EventRecord {
  /// Adds an attribute to a list, and marks the list as given, without which ``reset(kind:time:)`` would not empty it.
  mutating func add(_ attribute: Attribute, to list: AttributeList) {
    switch list {
    case .context:
      context.append(attribute)
      hasContext = true
    case .metadata:
      metadata.append(attribute)
      hasMetadata = true
    }
  }

  /// Returns whether two texts are equal. They are compared from their ends, because names often begin alike.
  func isEqual(_ a: Slice, _ b: Slice) -> Bool {
    guard a.count == b.count else { return false }
    var offset = Int(a.count)
    while offset > 0 {
      offset -= 1
      if bytes[Int(a.start) + offset] != bytes[Int(b.start) + offset] { return false }
    }
    return true
  }

  /// Checks that no list of attributes has a name twice, which ``FieldTree/addUnused(to:of:under:)`` does when it adds
  /// any.
  ///
  /// - Throws: ``Rejection`` `event`.
  func requireNames() throws(Rejection) {
    do throws(EventProblem) {
      try requireDistinctNames()
    } catch {
      throw Rejection(error)
    }
  }
}
