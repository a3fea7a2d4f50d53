import Events

extension FieldTree {
  /// Returns whether the field of a condition is neither empty nor 0 nor false.
  func holds(_ source: MappedSource) -> Bool {
    guard let field = findFilled(source) else { return false }
    let text = bytes.span.extracting(nodes[field.index].range)
    let isFalse = ["false", "no", "f", "n"].contains { (word: StaticString) in text.isSame(as: word) }
    return !isFalse && number(field) != 0
  }

  /// Returns a field as an attribute's value, copying a text into an event. A constant is a number or a text.
  func mappedValue(_ field: Field, for event: inout EventRecord) -> EventRecord.Value {
    guard isConstant(field) else { return value(field, for: &event) }
    let text = bytes.span.extracting(nodes[field.index].range)
    if JSONNumber.isNumber(text), let number = JSONNumber.double(of: text) { return .number(number) }
    return .text(event.add(text))
  }

  /// Calls a closure with the range of each element of a list: of JSON, or of a text separated by the first of `|`,
  /// `;` and `,` that it has, without the spaces around them.
  ///
  /// - Throws: ``Rejection`` `event` if it is a JSON object, an element of JSON is null, a list or an object, or one of
  ///   a text is empty; and errors of the closure.
  func forEachPart(
    of field: Field, _ name: StaticString, _ body: (Range<Int>) throws(Rejection) -> Void
  ) throws(Rejection) {
    guard !isObject(field) else {
      throw Rejection(.event, "the \(name) are an object and must be a list, such as [\"A\",\"B\"]")
    }
    guard isList(field) else { return try forEachPart(of: nodes[field.index].range, name, body) }
    var element: Field?
    while let next = child(after: element, of: field) {
      guard !isNull(next) else { throw Rejection(.event, "the \(name) have null among them") }
      guard !isList(next), !isObject(next) else {
        throw Rejection(.event, "the \(name) have a list or an object among them")
      }
      try body(nodes[next.index].range)
      element = next
    }
  }

  private func forEachPart(
    of range: Range<Int>, _ name: StaticString, _ body: (Range<Int>) throws(Rejection) -> Void
  ) throws(Rejection) {
    let separator = ("|;,".utf8).first { ByteSearch.first($0, in: bytes, range) != nil }
    guard let separator else { return try body(range) }
    var rest: Range<Int>? = range
    while let part = rest {
      let end = ByteSearch.first(separator, in: bytes, part)
      rest = end.map { $0 + 1..<part.upperBound }
      let text = bytes.span.extracting(part.lowerBound..<(end ?? part.upperBound))
      let plain = text.rangeWithoutBlanks
      guard !plain.isEmpty else {
        throw Rejection(.event, "the \(name) have an empty one among them")
      }
      try body(part.lowerBound + plain.lowerBound..<part.lowerBound + plain.upperBound)
    }
  }
}
