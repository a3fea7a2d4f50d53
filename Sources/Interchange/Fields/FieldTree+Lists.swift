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

  /// Makes a list of objects that each have a name and a value, such as `[{"name":"plan","value":"pro"}]`, an object
  /// with these as its members: `{"plan":"pro"}`. One without a value is none; a list or an object as a value is the
  /// text of its JSON; a text whose field is named as a number, as `int_value` is, becomes one.
  ///
  /// - Parameters:
  ///   - list: The list. Anything else is left alone, and so is a list of which an element has no name.
  ///   - names: The field of an element that has its name.
  ///   - values: The field with its value.
  /// - Returns: Whether the list became an object.
  @discardableResult
  mutating func nameElements(of list: Field, by names: some FieldChoice, _ values: some FieldChoice) -> Bool {
    guard isList(list) else { return false }
    var place: Field?
    while let element = child(after: place, of: list) {
      guard let name = names.first(in: self, under: element) else { return false }
      nodes[element.index].nameStart = nodes[name.index].start
      nodes[element.index].nameCount = nodes[name.index].count
      place = element
    }
    place = nil
    while let element = child(after: place, of: list) {
      var node = nodes[element.index]
      if let value = values.first(in: self, under: element) {
        (node.kind, node.start, node.count) = (kind(ofValue: value), nodes[value.index].start, nodes[value.index].count)
      } else {
        (node.kind, node.nameCount) = (.null, 0)
      }
      nodes[element.index] = node
      place = element
    }
    nodes[list.index].kind = .object
    return true
  }

  private func kind(ofValue field: Field) -> JSONNode.Kind {
    if isList(field) || isObject(field) { return .text }
    guard nodes[field.index].kind == .text else { return nodes[field.index].kind }
    let name = name(of: field)
    let isNumber =
      name.starts(with: "int".utf8) || name.starts(with: "float".utf8) || name.starts(with: "double".utf8)
    return isNumber && number(field) != nil ? .number : .text
  }

  /// Adds the members of an object to the features of the chosen variant of a decision, which is set. A name that is
  /// there already keeps its first value, and the other one stays an attribute, as anything else than an object does.
  mutating func addFeatures(of object: Field?, to event: inout EventRecord) {
    guard let object else { return }
    keep(object)
    guard isObject(object) else { return }
    var place: Field?
    while let member = child(after: place, of: object) {
      place = member
      let name = event.add(self.name(of: member))
      let isKnown = event.features.contains { event.isEqual($0.name, name) }
      if isNull(member) || isKnown { continue }
      use(member)
      event.features.append(EventRecord.Attribute(name: name, value: value(member, for: &event)))
    }
    guard !event.features.isEmpty else { return }
    event.hasFeatures = true
    event.featureGroups.removeAll(keepingCapacity: true)
    event.featureGroups.append(
      EventRecord.FeatureGroup(variant: event[.variant], count: event.features.count))
  }
}

/// Names of fields, of which the first that there is counts.
protocol FieldChoice: Sendable {
  func first(in tree: FieldTree, under object: FieldTree.Field) -> FieldTree.Field?
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
