import Events

/// A list of attributes that nested fields are flattened into.
enum FlatList {
  /// What the policy saw of the unit.
  case context
  /// The attributes of one choice, which are the last elements of the event's features.
  case features
}

extension FieldTree {
  /// Adds every value in an object that no reader has used to a list of attributes, under its path: `outer.inner`.
  ///
  /// The objects in a list are merged, and any other element gets its index as its key: `list.0`. If two objects of a
  /// list have a member of the same name, the later one gets the index of its object: `list.1.inner`. The fields are
  /// not marked as used, so that they can be added to several events.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: The list.
  ///   - event: The event.
  ///   - prefix: The path of the object itself; nil to begin paths with the names of its members.
  /// - Returns: The number of attributes added.
  /// - Throws: ``Rejection`` `event` if two values have the same path.
  /// - Complexity: O(fields), and O(n log n) in the attributes of a long list.
  func flatten(
    _ object: Field, into list: FlatList, of event: inout EventRecord, under prefix: String? = nil
  ) throws(Rejection) -> Int {
    let start = list == .context ? event.context.count : event.features.count
    var flattening = Flattening(tree: self, list: list)
    let path = prefix.map { Flattening.Path(plain: event.add($0)) } ?? Flattening.Path()
    try flattening.addMembers(of: object, path, to: &event)
    if event.hasRepeatedNames(from: start, in: list) {
      switch list {
      case .context: event.context.removeSubrange(start...)
      case .features: event.features.removeSubrange(start...)
      }
      flattening.names = []
      try flattening.addMembers(of: object, path, to: &event)
    }
    let count = (list == .context ? event.context.count : event.features.count) - start
    if count > 0 {
      switch list {
      case .context: event.hasContext = true
      case .features: event.hasFeatures = true
      }
    }
    return count
  }
}

/// Adds nested fields to an event under their paths.
private struct Flattening {
  /// The path of a field.
  struct Path {
    /// The names of the objects around it.
    var plain = EventRecord.Slice.absent
    /// The same with the index of the object in the innermost list; absent if there is no list around it.
    var indexed = EventRecord.Slice.absent
  }

  let tree: FieldTree
  let list: FlatList
  /// The names so far, if names are known to repeat; nil while every name is taken to be distinct.
  var names: Set<[UInt8]>?

  mutating func addMembers(
    of object: FieldTree.Field, _ path: Path, to event: inout EventRecord
  ) throws(Rejection) {
    let end = Int(tree.nodes[object.index].next)
    var index = object.index + 1
    while index < end {
      let node = tree.nodes[index]
      let field = FieldTree.Field(index: index)
      index = Int(node.next)
      if node.isUsed || node.kind == .null { continue }
      let name = tree.bytes[node.nameRange]
      var own = Path(plain: event.join(path.plain, name))
      if names != nil, path.indexed.isPresent { own.indexed = event.join(path.indexed, name) }
      try add(field, own, to: &event)
    }
  }

  private mutating func add(
    _ field: FieldTree.Field, _ path: Path, to event: inout EventRecord
  ) throws(Rejection) {
    switch tree.nodes[field.index].kind {
    case .object: try addMembers(of: field, path, to: &event)
    case .list: try addElements(of: field, path, to: &event)
    case .null: break
    default:
      let name = try distinct(path, event)
      let attribute = EventRecord.Attribute(name: name, value: tree.value(field, for: &event))
      switch list {
      case .context: event.context.append(attribute)
      case .features: event.features.append(attribute)
      }
    }
  }

  private mutating func addElements(
    of field: FieldTree.Field, _ path: Path, to event: inout EventRecord
  ) throws(Rejection) {
    let end = Int(tree.nodes[field.index].next)
    var (index, position) = (field.index + 1, 0)
    while index < end {
      let element = FieldTree.Field(index: index)
      let number = ArraySlice("\(position)".utf8)
      var own = path
      if tree.nodes[index].kind != .object {
        own = Path(plain: event.join(path.plain, number))
      } else if names != nil {
        own.indexed = event.join(path.plain, number)
      }
      try add(element, own, to: &event)
      index = Int(tree.nodes[index].next)
      position += 1
    }
  }

  /// Returns the name for a path; where names repeat, the one that is new.
  private mutating func distinct(
    _ path: Path, _ event: EventRecord
  ) throws(Rejection) -> EventRecord.Slice {
    guard names != nil else { return path.plain }
    if names?.insert(Array(event.bytes[path.plain.range])).inserted == true { return path.plain }
    if path.indexed.isPresent,
      names?.insert(Array(event.bytes[path.indexed.range])).inserted == true
    {
      return path.indexed
    }
    throw Rejection(
      .event, "\"\(event.string(path.plain)?.prefix(40) ?? "")\" occurs twice; keep one of them")
  }
}

extension EventRecord {
  /// Adds a path and a name with a dot between them.
  fileprivate mutating func join(_ path: Slice, _ name: ArraySlice<UInt8>) -> Slice {
    guard path.isPresent else { return add(name) }
    let start = bytes.count
    bytes.reserveCapacity(start + Int(path.count) + 1 + name.count)
    for index in path.range { bytes.append(bytes[index]) }
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: name)
    return Slice(start: start, count: bytes.count - start)
  }

  /// Whether two attributes of a list from an index on have the same name.
  fileprivate func hasRepeatedNames(from start: Int, in list: FlatList) -> Bool {
    let attributes = (list == .context ? context : features)[start...]
    guard attributes.count <= 24 else {
      return Set(attributes.map { bytes[$0.name.range] }).count < attributes.count
    }
    for index in attributes.indices {
      for other in start..<index where isEqual(attributes[index].name, attributes[other].name) {
        return true
      }
    }
    return false
  }

  /// Compares two texts from their ends, because names of one namespace begin alike.
  private func isEqual(_ a: Slice, _ b: Slice) -> Bool {
    guard a.count == b.count else { return false }
    var offset = Int(a.count)
    while offset > 0 {
      offset -= 1
      if bytes[Int(a.start) + offset] != bytes[Int(b.start) + offset] { return false }
    }
    return true
  }
}
