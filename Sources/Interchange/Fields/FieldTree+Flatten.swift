import Events

/// A list of attributes that nested fields are flattened into.
enum FlatList {
  /// The context of the unit that the policy saw.
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
  ///   - copy: The index in the event's bytes of a copy of the tree's, made with ``copyBytes(to:)``, so that texts need
  ///     not be copied one by one.
  ///   - prefix: The path of the object itself; nil to begin paths with the names of its members.
  /// - Returns: The number of attributes added.
  /// - Throws: ``Rejection`` `event` if two values have the same path.
  /// - Complexity: O(fields), and O(n log n) in the attributes of a long list.
  mutating func flatten(
    _ object: Field, into list: FlatList, of event: inout EventRecord, copy: Int,
    under prefix: String? = nil
  ) throws(Rejection) -> Int {
    let start = list == .context ? event.context.count : event.features.count
    path.removeAll(keepingCapacity: true)
    if let prefix {
      path.append(contentsOf: prefix.utf8)
      path.append(UInt8(ascii: "."))
    }
    flattenDistinct(members(object), isList: false, list, copy, &event)
    try Self.requireLength(event)
    if event.hasRepeatedNames(from: start, in: list) {
      switch list {
      case .context: event.context.removeSubrange(start...)
      case .features: event.features.removeSubrange(start...)
      }
      var flattening = Flattening(tree: self, list: list)
      let path = prefix.map { Flattening.Path(plain: event.add($0)) } ?? Flattening.Path()
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

  /// Checks that the names of nested fields fit in memory: a long one is repeated for each field of its object.
  fileprivate static func requireLength(_ event: EventRecord) throws(Rejection) {
    guard event.bytes.count >= longest else { return }
    throw Rejection(
      .event, "the names of nested fields take more than 256 MiB; shorten the outer ones")
  }

  /// Copies the bytes of all fields to an event and returns the index of the first.
  func copyBytes(to event: inout EventRecord) -> Int {
    let start = event.bytes.count
    event.bytes.append(contentsOf: bytes)
    return start
  }

  /// The indices of the nodes in a field.
  private func members(_ field: Field) -> Range<Int> {
    field.index + 1..<Int(nodes[field.index].next)
  }

  /// Adds the members of an object or the elements of a list under ``path``, which ends with a dot or is empty, as if
  /// names were distinct: an import of lines with 130 fields takes a third less time than with a set of the names.
  private mutating func flattenDistinct(
    _ range: Range<Int>, isList: Bool, _ list: FlatList, _ copy: Int, _ event: inout EventRecord
  ) {
    var (index, position) = (range.lowerBound, 0)
    // `flatten` rejects what is longer.
    while index < range.upperBound, event.bytes.count < Self.longest {
      let node = nodes[index]
      let inner = index + 1..<Int(node.next)
      defer {
        index = inner.upperBound
        position += 1
      }
      if node.isUsed || node.kind == .null { continue }
      if node.kind == .object, isList {
        flattenDistinct(inner, isList: false, list, copy, &event)
        continue
      }
      let length = path.count
      if isList {
        path.append(contentsOf: "\(position)".utf8)
      } else if node.kind.rawValue >= JSONNode.Kind.list.rawValue {
        append(node.nameRange, to: &path)
      }
      if node.kind.rawValue >= JSONNode.Kind.list.rawValue {
        path.append(UInt8(ascii: "."))
        flattenDistinct(inner, isList: node.kind == .list, list, copy, &event)
      } else {
        let start = event.bytes.count
        // Safety: the buffer is used only within the closure.
        unsafe path.withUnsafeBufferPointer { unsafe event.bytes.append(contentsOf: $0) }
        if !isList { append(node.nameRange, to: &event.bytes) }
        let name = EventRecord.Slice(start: start, count: event.bytes.count - start)
        let attribute = EventRecord.Attribute(name: name, value: value(node, copy))
        switch list {
        case .context: event.context.append(attribute)
        case .features: event.features.append(attribute)
        }
      }
      if path.count > length { path.removeLast(path.count - length) }
    }
  }

  @inline(__always)
  private func append(_ range: Range<Int>, to output: inout [UInt8]) {
    // Safety: the buffer is used only within the closure.
    unsafe bytes.span.extracting(range).withUnsafeBufferPointer {
      unsafe output.append(contentsOf: $0)
    }
  }

  /// Returns a number, text or truth value, whose text was copied to an event.
  @inline(__always)
  private func value(_ node: JSONNode, _ copy: Int) -> EventRecord.Value {
    if node.kind == .flag { return .flag(bytes[Int(node.start)] == UInt8(ascii: "t")) }
    if node.kind == .number, let number = JSONNumber.double(of: bytes.span.extracting(node.range)) {
      if number.magnitude > 0x1p53,
        let whole = Int64(String(decoding: bytes[node.range], as: UTF8.self))
      {
        return .integer(whole)
      }
      return .number(number)
    }
    return .text(EventRecord.Slice(start: copy + Int(node.start), count: Int(node.count)))
  }
}

/// Adds nested fields to an event under their paths, where names repeat.
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
  /// The names so far.
  var names: Set<[UInt8]> = []

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
      try FieldTree.requireLength(event)
      let name = tree.bytes[node.nameRange]
      var own = Path(plain: event.join(path.plain, name))
      if path.indexed.isPresent { own.indexed = event.join(path.indexed, name) }
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
      } else {
        own.indexed = event.join(path.plain, number)
      }
      try add(element, own, to: &event)
      index = Int(tree.nodes[index].next)
      position += 1
    }
  }

  /// Returns the name for a path that is new.
  private mutating func distinct(
    _ path: Path, _ event: EventRecord
  ) throws(Rejection) -> EventRecord.Slice {
    if names.insert(Array(event.bytes[path.plain.range])).inserted { return path.plain }
    if path.indexed.isPresent,
      names.insert(Array(event.bytes[path.indexed.range])).inserted
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
}
