internal import Events

extension FieldTree {
  /// How often a text may be wrapped in another.
  private static var deepestTexts: Int { 4 }

  /// Makes every member of an object that is a text with a JSON object or list that object or list, as exports have
  /// them: a column `properties` of a table, or a member whose JSON was written as text, also more than once. Any other
  /// text stays as it is.
  ///
  /// - Complexity: O(values), and O(length) for what begins as an object or list does.
  mutating func unpackTexts() {
    for _ in 0..<Self.deepestTexts where !unpackOuterTexts() { return }
  }

  /// Unpacks the texts that are not themselves within one, and returns whether there were any.
  private mutating func unpackOuterTexts() -> Bool {
    wrapped.removeAll()
    for index in nodes.indices
    where nodes[index].kind == .text && nodes[index].nameCount >= 0
      && WrappedTexts.mayBeJSON(bytes, nodes[index].range)
    {
      wrapped.parse(at: index, nodes[index].range, of: &bytes)
    }
    guard !wrapped.places.isEmpty else { return false }
    wrapped.insert(into: &nodes)
    for column in fieldOfColumn.indices {
      fieldOfColumn[column] = wrapped.moved[Int(fieldOfColumn[column])]
    }
    return true
  }
}

/// The contents of a record's texts that are JSON objects or lists; its buffers are reused for all records.
struct WrappedTexts: Sendable {
  /// A text that is an object or list.
  struct Place {
    /// The index of the text.
    let index: Int
    let kind: JSONNode.Kind
    /// The end of its values in `nodes`; they begin where those of the place before end.
    let end: Int
  }

  private(set) var places: [Place] = []
  /// The index that each node has after the insertion.
  private(set) var moved: [Int32] = []
  /// The contents of the texts, without the outermost values; `next` counts from the outermost one.
  private var nodes: [JSONNode] = []
  private var parsed: (bytes: [UInt8], nodes: [JSONNode]) = ([], [])

  /// Returns whether a text may be a JSON object or list, by its ends.
  static func mayBeJSON(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] <= 0x20 { start += 1 }
    guard start + 1 < range.upperBound else { return false }
    // The text of a text begins with a quote.
    let first = bytes[start] == UInt8(ascii: "\"") ? bytes[start + 1] : bytes[start]
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  mutating func removeAll() {
    places.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
  }

  /// Keeps what a text contains if it is an object or list, and appends the bytes of that.
  mutating func parse(at index: Int, _ range: Range<Int>, of bytes: inout [UInt8]) {
    guard Self.parse(bytes.span.extracting(range), into: &parsed) else { return }
    if parsed.nodes[0].kind == .text {
      let text = Array(parsed.bytes[parsed.nodes[0].range])
      guard Self.parse(text.span, into: &parsed) else { return }
    }
    let kind = parsed.nodes[0].kind
    // An empty one has nothing to be read, and as a text it is kept.
    guard kind == .object || kind == .list, parsed.nodes.count > 1 else { return }
    let start = Int32(truncatingIfNeeded: bytes.count)
    bytes.append(contentsOf: parsed.bytes)
    for var node in parsed.nodes.dropFirst() {
      node.start += start
      node.nameStart += start
      nodes.append(node)
    }
    places.append(Place(index: index, kind: kind, end: nodes.count))
  }

  private static func parse(
    _ text: Span<UInt8>, into parsed: inout (bytes: [UInt8], nodes: [JSONNode])
  ) -> Bool {
    (try? JSONNodes.parse(text, into: &parsed.bytes, &parsed.nodes)) != nil
  }

  /// Inserts what the texts contain after them.
  mutating func insert(into outer: inout [JSONNode]) {
    move(outer.count)
    var result: [JSONNode] = []
    result.reserveCapacity(outer.count + nodes.count)
    var (place, start) = (0, 0)
    for (index, var node) in outer.enumerated() {
      node.next = moved[Int(node.next)]
      guard place < places.count, places[place].index == index else {
        result.append(node)
        continue
      }
      let first = Int32(truncatingIfNeeded: result.count)
      node.kind = places[place].kind
      result.append(node)
      for var inner in nodes[start..<places[place].end] {
        inner.next += first
        result.append(inner)
      }
      start = places[place].end
      place += 1
    }
    outer = result
  }

  private mutating func move(_ count: Int) {
    moved.removeAll(keepingCapacity: true)
    var (place, inserted) = (0, 0)
    for index in 0...count {
      moved.append(Int32(truncatingIfNeeded: index + inserted))
      guard place < places.count, places[place].index == index else { continue }
      inserted = places[place].end
      place += 1
    }
  }
}
