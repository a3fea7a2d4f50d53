// Validation of the contents of fields, as opposed to their presence: a parser has done this while reading a line, and
// half of it holds for a typed event.
extension EventRecord {
  /// Checks that every text lies within the bytes and is UTF-8, and that every name occurs once.
  ///
  /// - Complexity: O(bytes of the texts), and O(n log n) in the attributes of a long list.
  func validateTexts() throws(EventProblem) {
    guard bytes.count <= Int(Int32.max) else {
      throw EventProblem("the event has \(bytes.count) bytes of text; the most is \(Int32.max)")
    }
    for index in texts.indices { try requireText(texts[index]) }
    for slice in choices { try requireText(slice) }
    for slice in changed { try requireText(slice) }
    for attributes in [context, metadata, features] { try requireTexts(attributes) }
    var next = 0
    for group in featureGroups {
      guard group.count >= 0, group.count <= features.count - next else {
        throw EventProblem("\"features\" counts \(group.count) attributes that are not there")
      }
      try requireText(group.variant)
      next += group.count
    }
    guard next == features.count else {
      throw EventProblem("\"features\" has attributes that belong to no choice")
    }
    try requireDistinctNames()
    if case .text(let slice) = dataValue { try requireText(slice) }
  }

  /// Checks that every name of the context, the metadata and the features occurs once.
  ///
  /// - Complexity: O(n log n) in the attributes of a long list.
  package func requireDistinctNames() throws(EventProblem) {
    try requireDistinct(context.count, "context") { context[$0].name }
    try requireDistinct(metadata.count, "metadata") { metadata[$0].name }
    try requireDistinct(featureGroups.count, "features") { featureGroups[$0].variant }
    var next = 0
    for group in featureGroups {
      let start = next
      try requireDistinct(group.count, "features") { features[start + $0].name }
      next += group.count
    }
  }

  private func requireTexts(_ attributes: [Attribute]) throws(EventProblem) {
    for attribute in attributes {
      try requireText(attribute.name)
      if case .text(let slice) = attribute.value { try requireText(slice) }
    }
  }

  private func requireText(_ slice: Slice) throws(EventProblem) {
    guard slice.isPresent else { return }
    guard slice.start >= 0, slice.range.upperBound <= bytes.count else {
      throw EventProblem("a text lies outside the event's bytes")
    }
    guard isPlain(slice.range) || JSONScanner.isUTF8(bytes.span.extracting(slice.range)) else {
      throw EventProblem("the text \"\(string(slice) ?? "")\" is not UTF-8; encode it as UTF-8")
    }
  }

  private func isPlain(_ range: Range<Int>) -> Bool {
    var union: UInt8 = 0
    for index in range { union |= bytes[index] }
    return union < 0x80
  }

  /// Checks that no two of some names are the same.
  ///
  /// Few names are told apart by one of 1,024 bits for each, which is a function of its end and length; only those
  /// that share one are compared. Many are sorted.
  @inline(__always)
  private func requireDistinct(
    _ count: Int, _ field: String, _ name: (Int) -> Slice
  ) throws(EventProblem) {
    guard count > 1 else { return }
    guard count <= 256 else {
      let sorted = (0..<count).map { bytes[name($0).range] }
        .sorted { $0.lexicographicallyPrecedes($1) }
      for (a, b) in zip(sorted, sorted.dropFirst()) where a.elementsEqual(b) {
        throw repeated(Slice(start: a.startIndex, count: a.count), field)
      }
      return
    }
    var seen = InlineArray<16, UInt64>(repeating: 0)
    for place in 0..<count {
      let current = name(place)
      let code = shortCode(of: current)
      let (word, bit) = (code >> 6, UInt64(1) << UInt64(code & 63))
      if seen[word] & bit != 0 {
        for other in 0..<place where hasSameText(name(other), current) {
          throw repeated(current, field)
        }
      }
      seen[word] |= bit
    }
  }

  /// Returns a number below 1,024 that depends on the length of a text and its last 8 bytes.
  private func shortCode(of slice: Slice) -> Int {
    let (text, range) = (bytes.span, slice.range)
    var end: UInt64 = 0
    for index in max(range.lowerBound, range.upperBound - 8)..<range.upperBound {
      end = end << 8 | UInt64(text[index])
    }
    let mixed = (end ^ UInt64(range.count) << 56) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 54)
  }

  private func hasSameText(_ a: Slice, _ b: Slice) -> Bool {
    guard a.count == b.count else { return false }
    let text = bytes.span
    for offset in 0..<a.range.count
    where text[a.range.lowerBound + offset] != text[b.range.lowerBound + offset] {
      return false
    }
    return true
  }

  private func repeated(_ name: Slice, _ field: String) -> EventProblem {
    EventProblem("\"\(field)\" has \"\(string(name) ?? "")\" twice; keep one of them")
  }

  /// Checks that the numbers of attributes and of a data point are finite.
  func validateNumbers() throws(EventProblem) {
    for list in [context, features, metadata] {
      for attribute in list {
        guard case .number(let number) = attribute.value, !number.isFinite else { continue }
        throw EventProblem("attribute \"\(string(attribute.name) ?? "")\" must be a finite number")
      }
    }
    if case .number(let number) = dataValue, !number.isFinite {
      throw EventProblem("a data point's value must be finite")
    }
  }

  /// Checks that JSON text that is preserved without interpretation is valid JSON, nested no deeper than a decoder
  /// accepts, and has no member that a decoder would read as a field of the event.
  ///
  /// - Complexity: O(length of that JSON).
  func validateCarried() throws(EventProblem) {
    if self[.configuration].isPresent {
      do throws(JSONLineError) {
        try JSONScanner.requireValue(bytes.span.extracting(self[.configuration].range))
      } catch {
        throw EventProblem("\"configuration\", \(error)")
      }
    }
    guard self[.unknown].count > 0 else { return }
    do throws(JSONLineError) {
      _ = try unknownMembers()
    } catch {
      throw EventProblem("unknown fields, \(error)")
    }
  }

  /// The ranges in the record's bytes of the members that are preserved without interpretation.
  private func unknownMembers() throws(JSONLineError) -> [Range<Int>] {
    let (start, text) = (self[.unknown].range.lowerBound, self[.unknown].range)
    var seen = JSONLineField.Set([.type])
    let known = fieldsByName.bits | JSONLineField.type.bit
    return try JSONScanner.members(bytes.span.extracting(text)) {
      (field, offset) throws(JSONLineError) in
      let isTwice = seen.contains(field)
      seen.insert(field)
      if known & field.bit != 0 || isTwice {
        throw JSONLineError(
          offset: offset,
          reason: "\"\(field.name)\" is a field of events, no unknown one; give it by its own name")
      }
    }.map { $0.lowerBound + start..<$0.upperBound + start }
  }

  /// The fields that may not be among the preserved members: those that older versions preserved this way may, unless
  /// the record has them.
  private var fieldsByName: JSONLineField.Set {
    var fields = kind.fields
    for (field, slice) in [
      (JSONLineField.system, self[.system]), (.instance, self[.instance]), (.point, self[.point]),
      (.slot, self[.slot]),
    ] where kind.laterFields.contains(field) && !slice.isPresent {
      fields.remove(field)
    }
    return fields
  }

  /// Normalizes the preserved JSON to the form in which a decoder returns it: no white space around a value or between
  /// members, no line break. It must have passed ``validateCarried()``.
  mutating func normalizeCarried() {
    if self[.configuration].isPresent {
      var range = self[.configuration].range
      while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
      while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
      self[.configuration] = Slice(start: range.lowerBound, count: range.count)
      flatten(range)
    }
    guard self[.unknown].count > 0, let members = try? unknownMembers() else { return }
    let start = bytes.count
    for member in members {
      if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: Array(bytes[member]))
    }
    self[.unknown] = Slice(start: start, count: bytes.count - start)
    flatten(self[.unknown].range)
  }

  /// Replaces line breaks, which in JSON can only be white space, by spaces.
  mutating func flatten(_ json: Range<Int>) {
    for index in json
    where bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") {
      bytes[index] = UInt8(ascii: " ")
    }
  }
}
