import Events

extension FieldTree {
  /// Returns a member of the root and marks it as used; nil if there is none.
  ///
  /// - Complexity: O(members of the root).
  public mutating func take(_ name: StaticString) -> Field? {
    guard let field = find(name, in: root) else { return nil }
    nodes[field.index].isUsed = true
    return field
  }

  /// Returns a member of an object in the root, such as `properties.revenue`, and marks it as used; nil if there is
  /// none.
  ///
  /// - Complexity: O(members of both objects).
  public mutating func take(_ object: StaticString, _ name: StaticString) -> Field? {
    find(object, in: root).flatMap { take(name, in: $0) }
  }

  /// Returns a member of an object, and marks it as used; nil if there is none.
  ///
  /// - Complexity: O(members of the object).
  public mutating func take(_ name: StaticString, in object: Field) -> Field? {
    guard let field = find(name, in: object) else { return nil }
    nodes[field.index].isUsed = true
    return field
  }

  /// Returns the first of several members of the root that there is, and marks it as used.
  public mutating func take(firstOf names: StaticString...) -> Field? {
    take(firstOf: names, in: root)
  }

  /// Returns the first of several members of an object in the root that there is, and marks it as used.
  public mutating func take(_ object: StaticString, firstOf names: StaticString...) -> Field? {
    find(object, in: root).flatMap { take(firstOf: names, in: $0) }
  }

  /// Returns a member of the root, or the first of several that there is, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  public mutating func require(firstOf names: StaticString...) throws(Rejection) -> Field {
    guard let field = take(firstOf: names, in: root) else { throw Self.missing(nil, names) }
    return field
  }

  /// Returns a member of the root, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  public mutating func require(_ name: StaticString) throws(Rejection) -> Field {
    guard let field = take(name) else { throw Self.missing(nil, [name]) }
    return field
  }

  /// Returns the first of several members of an object in the root that there is, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  public mutating func require(
    _ object: StaticString, firstOf names: StaticString...
  ) throws(Rejection) -> Field {
    guard let place = find(object, in: root), let field = take(firstOf: names, in: place) else {
      throw Self.missing(object, names)
    }
    return field
  }

  private mutating func take(firstOf names: [StaticString], in object: Field) -> Field? {
    for name in names {
      if let field = take(name, in: object) { return field }
    }
    return nil
  }

  private static func missing(_ object: StaticString?, _ names: [StaticString]) -> Rejection {
    let paths = names.map { name in "\"\(object.map { "\($0)." } ?? "")\(name)\"" }
    return Rejection(.event, "there is no \(paths.joined(separator: " or "))")
  }

  /// Returns a member of an object without marking it; nil if there is none.
  ///
  /// - Complexity: O(members of the object).
  public func find(_ name: StaticString, in object: Field) -> Field? {
    // Safety: a static string's bytes live as long as the program.
    let wanted = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return find(in: object) { node in
      guard Int(node.nameCount) == wanted.count else { return false }
      // Names are compared from their ends, because many begin alike.
      var offset = wanted.count
      while offset > 0 {
        offset -= 1
        if unsafe bytes[Int(node.nameStart) + offset] != wanted[offset] { return false }
      }
      return true
    }
  }

  /// Returns a member of the root without marking it; nil if there is none.
  public func find(_ name: StaticString) -> Field? { find(name, in: root) }

  /// Returns a member of an object by a name that is known only when the program runs; nil if there is none.
  ///
  /// - Complexity: O(members of the object).
  public func find(_ name: some Collection<UInt8>, in object: Field) -> Field? {
    let count = name.count
    return find(in: object) { node in
      Int(node.nameCount) == count && bytes[node.nameRange].elementsEqual(name)
    }
  }

  @inline(__always)
  private func find(in object: Field, where matches: (JSONNode) -> Bool) -> Field? {
    guard nodes[object.index].kind == .object else { return nil }
    let end = Int(nodes[object.index].next)
    var index = object.index + 1
    while index < end {
      if matches(nodes[index]) { return nodes[index].kind == .null ? nil : Field(index: index) }
      index = Int(nodes[index].next)
    }
    return nil
  }

  /// Marks a field and all that it contains as used.
  public mutating func use(_ field: Field) { nodes[field.index].isUsed = true }

  /// The members of an object or the elements of a list, in order; empty for any other field.
  public func children(of field: Field) -> [Field] {
    var children: [Field] = []
    appendChildren(of: field, to: &children)
    return children
  }

  /// Appends the members of an object or the elements of a list to a list that can be reused; none of any other field.
  func appendChildren(of field: Field, to children: inout [Field]) {
    guard nodes[field.index].kind.rawValue >= JSONNode.Kind.list.rawValue else { return }
    let end = Int(nodes[field.index].next)
    var index = field.index + 1
    while index < end {
      children.append(Field(index: index))
      index = Int(nodes[index].next)
    }
  }
}

extension FieldTree {
  /// Returns the name of a member; empty for an element of a list.
  public func name(of field: Field) -> ArraySlice<UInt8> { bytes[nodes[field.index].nameRange] }

  /// Returns the content of a field: a text without its quotes, anything else as it is written. Identifiers keep
  /// their digits that way: `001` stays `001`.
  public func text(_ field: Field) -> ArraySlice<UInt8> { bytes[nodes[field.index].range] }

  /// Returns the content of a field as a string, for messages and comparisons.
  public func string(_ field: Field) -> String { String(decoding: text(field), as: UTF8.self) }

  /// Returns whether the content of a field is equal to a text.
  public func text(_ field: Field?, is other: StaticString) -> Bool {
    guard let field else { return false }
    // Safety: a static string's bytes live as long as the program.
    let wanted = unsafe UnsafeBufferPointer(
      start: other.utf8Start, count: other.utf8CodeUnitCount)
    return unsafe text(field).elementsEqual(wanted)
  }

  /// Whether a field is JSON `null`, which occurs among the children of a list or object.
  public func isNull(_ field: Field) -> Bool { nodes[field.index].kind == .null }

  /// Whether a field is a JSON object.
  public func isObject(_ field: Field) -> Bool { nodes[field.index].kind == .object }

  /// Whether a field is a JSON list.
  public func isList(_ field: Field) -> Bool { nodes[field.index].kind == .list }

  /// Returns a field as a number; nil if it is neither a number nor a text that is one.
  public func number(_ field: Field) -> Double? {
    switch nodes[field.index].kind {
    case .number, .text: NumberText.double(bytes.span.extracting(nodes[field.index].range))
    default: nil
    }
  }

  /// Returns a field as a number; nil if there is none.
  ///
  /// - Throws: ``Rejection`` `number` if the field is not a number.
  public func number(_ field: Field?, named name: StaticString) throws(Rejection) -> Double? {
    guard let field else { return nil }
    guard let number = number(field) else {
      throw Rejection(
        .number,
        "\"\(name)\" is \"\(String(decoding: text(field).prefix(40), as: UTF8.self))\" and must be a number")
    }
    return number
  }

  /// Returns a field as a truth value: `true`, `false`, or one of these, `1` or `0` as a text or number; nil for
  /// anything else.
  public func flag(_ field: Field) -> Bool? {
    switch string(field).lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// Returns a field as an attribute's value, copying its text into an event. JSON keeps its types; a field of CSV is
  /// a number or a truth value if it is written as JSON writes them, and a text otherwise. A list or an object is the
  /// text of its JSON.
  func value(_ field: Field, for event: inout EventRecord) -> EventRecord.Value {
    let node = nodes[field.index]
    let isNumber = node.kind == .number || (isCSV && JSONNumberText.isNumber(bytes, node.range))
    if isNumber, let number = number(field) {
      if number.magnitude > 0x1p53, let whole = Int64(string(field)) { return .integer(whole) }
      return .number(number)
    }
    if node.kind == .flag || isCSV {
      if text(field, is: "true") { return .flag(true) }
      if text(field, is: "false") { return .flag(false) }
    }
    return .text(event.add(text(field)))
  }
}

/// Recognizes numbers as JSON writes them: no leading zeros, no plus sign, digits on both sides of the point.
enum JSONNumberText {
  static func isNumber(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    func digits() -> Int {
      var count = 0
      while position + count < range.upperBound, bytes[position + count] &- 0x30 < 10 { count += 1 }
      return count
    }
    if position < range.upperBound, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[position] != UInt8(ascii: "0") else { return false }
    position += whole
    if position < range.upperBound, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = digits()
      guard fraction > 0 else { return false }
      position += fraction
    }
    if position < range.upperBound, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < range.upperBound,
        bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")
      {
        position += 1
      }
      let exponent = digits()
      guard exponent > 0 else { return false }
      position += exponent
    }
    return position == range.upperBound
  }
}
