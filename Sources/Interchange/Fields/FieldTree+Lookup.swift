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

  /// Returns a member of the root that is not an empty text, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  public mutating func require(_ name: StaticString) throws(Rejection) -> Field {
    try require(among: FieldNames(stringLiteral: name))
  }

  /// Returns a member of an object without marking it; nil if there is none.
  ///
  /// - Complexity: O(members of the object).
  public func find(_ name: StaticString, in object: Field) -> Field? { find(FieldName(name), in: object) }

  func find(_ name: FieldName, in object: Field) -> Field? {
    if let field = find(in: object, where: { isEqual($0, name) }) { return field }
    guard isUpperCase, object.index == 0, let columns else { return nil }
    return columns.place(of: name.string.utf8).flatMap { field(ofColumn: $0) }
  }

  /// Returns whether a range of the bytes is a name.
  @inline(__always)
  private func isEqual(_ range: Range<Int>, _ name: FieldName) -> Bool {
    // Safety: a static string's bytes live as long as the program, and the name lies within them.
    isEqual(range, unsafe Span(_unsafeStart: name.text.utf8Start + name.start, count: name.count))
  }

  @inline(__always)
  private func isEqual(_ range: Range<Int>, _ wanted: Span<UInt8>) -> Bool {
    guard range.count == wanted.count else { return false }
    let part = bytes.span.extracting(range)
    var index = part.count - 1
    while index >= 0, part[index] == wanted[index] { index -= 1 }
    return index < 0
  }

  /// Returns a member of the root without marking it; nil if there is none.
  public func find(_ name: StaticString) -> Field? { find(name, in: root) }

  /// Returns a member of an object by a name that is known only when the program runs; nil if there is none.
  ///
  /// - Complexity: O(members of the object).
  public func find(_ name: some Collection<UInt8>, in object: Field) -> Field? { find(Array(name), in: object) }

  func find(_ name: [UInt8], in object: Field) -> Field? {
    if object.index == 0, let columns, !name.isEmpty {
      return columns.place(of: name).flatMap { field(ofColumn: $0) }
    }
    return find(in: object) { isEqual($0, name.span) }
  }

  /// Returns the field of a column; nil if the row has none.
  func field(ofColumn column: Int) -> Field? {
    let field = Field(index: Int(fieldOfColumn[column]))
    return field.index == 0 || isNull(field) ? nil : field
  }

  /// Returns the first member whose name, a range of the bytes, matches; nil if there is none, or if it is null.
  @inline(__always)
  private func find(in object: Field, where matches: (Range<Int>) -> Bool) -> Field? {
    let nodes = nodes.span
    guard case .object = nodes[object.index].kind else { return nil }
    let end = Int(nodes[object.index].next)
    var index = object.index + 1
    while index < end {
      if matches(nodes[index].nameRange) {
        if case .null = nodes[index].kind { return nil }
        return Field(index: index)
      }
      index = Int(nodes[index].next)
    }
    return nil
  }

  /// Marks a field and all that it contains as used.
  public mutating func use(_ field: Field) { nodes[field.index].isUsed = true }

  /// Marks a field as unused again, so that it is added to the event with the others.
  mutating func keep(_ field: Field) { nodes[field.index].isUsed = false }

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
  func text(_ field: Field, is other: FieldName) -> Bool { isEqual(nodes[field.index].range, other) }

  /// Returns whether the content of a field is equal to a text.
  public func text(_ field: Field?, is other: StaticString) -> Bool {
    field.map { text($0, is: FieldName(other)) } ?? false
  }

  /// Whether a field is JSON `null`, which occurs among the children of a list or object.
  public func isNull(_ field: Field) -> Bool {
    if case .null = nodes[field.index].kind { true } else { false }
  }

  /// Whether a field is a JSON object.
  public func isObject(_ field: Field) -> Bool {
    if case .object = nodes[field.index].kind { true } else { false }
  }

  /// Whether a field is a JSON list.
  public func isList(_ field: Field) -> Bool {
    if case .list = nodes[field.index].kind { true } else { false }
  }

  /// Returns a field as a number; nil if it is neither a number nor a text that is one.
  public func number(_ field: Field) -> Double? {
    switch nodes[field.index].kind {
    case .number, .text: JSONNumber.double(of: bytes.span.extracting(nodes[field.index].range))
    default: nil
    }
  }

  /// Returns a field as a number; nil if there is none, or an empty text.
  ///
  /// - Throws: ``Rejection`` `number` if the field is not a number.
  public func number(_ field: Field?, named name: @autoclosure () -> String) throws(Rejection) -> Double? {
    guard let field, !text(field).isEmpty else { return nil }
    guard let number = number(field) else {
      throw Rejection(
        .number,
        "\"\(name())\" is \"\(string(field).prefix(40))\" and must be a number")
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
  /// a number or a truth value if it is written as JSON writes them, and a text otherwise. An integer beyond 64 bits is
  /// its text, so that no digit is lost, and a list or an object is the text of its JSON without white space, so that
  /// it is the same however it was laid out.
  func value(_ field: Field, for event: inout EventRecord) -> EventRecord.Value {
    let node = nodes[field.index]
    // JSON in a field of CSV has types.
    let isUntyped = isCSV && node.start < nodes[0].start + nodes[0].count
    let (isNumber, isFlag) =
      switch node.kind {
      case .number: (true, false)
      case .flag: (false, true)
      case .text where isUntyped: (JSONNumber.isNumber(bytes.span.extracting(node.range)), true)
      default: (false, false)
      }
    if isNumber, let number = number(field) {
      guard number.magnitude >= 0x1p53, JSONNumber.isInteger(bytes, node.range) else {
        return .number(number)
      }
      if let whole = Int64(string(field)) {
        return whole.magnitude > 1 << 53 ? .integer(whole) : .number(number)
      }
      return .text(event.add(bytes.span.extracting(node.range)))
    }
    if isFlag {
      if text(field, is: "true") { return .flag(true) }
      if text(field, is: "false") { return .flag(false) }
    }
    if node.kind == .list || node.kind == .object { return .text(addJSON(node.range, to: &event)) }
    return .text(event.add(bytes.span.extracting(node.range)))
  }

  /// Adds the text of a list or an object without the white space between its parts.
  private func addJSON(_ range: Range<Int>, to event: inout EventRecord) -> EventRecord.Slice {
    let start = event.bytes.count
    var (isInText, isEscaped) = (false, false)
    for byte in bytes[range] {
      if !isInText, byte <= 0x20 { continue }
      event.bytes.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      }
    }
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }
}
