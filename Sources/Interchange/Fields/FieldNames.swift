import Events

/// A name that is known when the program is compiled: a part of a static text.
struct FieldName: Sendable {
  let text: StaticString
  let start: Int
  let count: Int

  /// Creates a name of a part of a text, which lies within it.
  init(_ text: StaticString, _ range: Range<Int>) { (self.text, start, count) = (text, range.lowerBound, range.count) }

  init(_ text: StaticString) { self.init(text, 0..<text.utf8CodeUnitCount) }

  var string: String { String("\(text)".utf8.dropFirst(start).prefix(count)) ?? "" }

  /// The name of an object and that of its member, if the name has a point.
  @inline(__always)
  var parts: (FieldName, FieldName)? {
    for place in start..<start + count where FieldNames.byte(place, of: text) == UInt8(ascii: ".") {
      return (FieldName(text, start..<place), FieldName(text, place + 1..<start + count))
    }
    return nil
  }

  /// Returns the member of an object, as in `properties.revenue`, or else the field of the whole name; nil if there is
  /// none.
  func find(in tree: FieldTree) -> FieldTree.Field? { find(in: tree, under: tree.root) }

  func find(in tree: FieldTree, under root: FieldTree.Field) -> FieldTree.Field? {
    if let (outer, inner) = parts, let object = tree.find(outer, in: root), let field = tree.find(inner, in: object) {
      return field
    }
    return tree.find(self, in: root)
  }

  /// Returns whether a record has the field, or its table the column, even without a value.
  func isNamed(in tree: FieldTree) -> Bool {
    if tree.hasName(Array(string.utf8)) { return true }
    guard let (outer, inner) = parts, let object = tree.find(outer, in: tree.root) else { return false }
    return tree.children(of: object).contains { tree.name(of: $0).elementsEqual(inner.string.utf8) }
  }
}

/// At most eight names that are known when the program is compiled, written as in mappings: `userId | anonymousId`.
///
/// It has no reference to count, since a record asks for a dozen.
struct FieldNames: ExpressibleByStringLiteral, FieldChoice {
  private let written: StaticString
  /// Where each name ends.
  private var ends = SIMD8<UInt8>(repeating: 0)
  private(set) var count = 0

  init(stringLiteral text: StaticString) {
    written = text
    let length = text.utf8CodeUnitCount
    for place in 0..<length where Self.byte(place, of: text) == UInt8(ascii: "|") { add(endingAt: place - 1) }
    if length > 0 { add(endingAt: length) }
  }

  private mutating func add(endingAt end: Int) {
    guard count < ends.scalarCount, let end = UInt8(exactly: end) else { return }
    ends[count] = end
    count += 1
  }

  /// Returns a byte of a text, which has it.
  @inline(__always)
  static func byte(_ place: Int, of text: StaticString) -> UInt8 {
    // Safety: a static string's bytes live as long as the program, and the caller asks for one of them.
    unsafe text.utf8Start[place]
  }

  /// A name, by its index below ``count``.
  subscript(index: Int) -> FieldName {
    FieldName(written, (index == 0 ? 0 : Int(ends[index - 1]) + 3)..<Int(ends[index]))
  }

  var strings: [String] { (0..<count).map { self[$0].string } }

  /// The names as they are written.
  var text: String { "\(written)" }

  func first(in tree: FieldTree, under object: FieldTree.Field) -> FieldTree.Field? {
    for index in 0..<count { if let field = self[index].find(in: tree, under: object) { return field } }
    return nil
  }

  /// Returns the field of the only name, or the first of several that has a content. As the unit, a text that stands
  /// for a missing one counts only if there is no other.
  func find(in tree: FieldTree, asUnit: Bool = false) -> FieldTree.Field? { look(in: tree, asUnit: asUnit)?.field }

  /// Returns that field with the index of its name.
  func look(in tree: FieldTree, asUnit: Bool = false) -> (field: FieldTree.Field, index: Int)? {
    if count == 1 { return self[0].find(in: tree).map { ($0, 0) } }
    var placeholder: (FieldTree.Field, Int)?
    for index in 0..<count {
      guard let field = self[index].find(in: tree), tree.nodes[field.index].count > 0 else { continue }
      if !asUnit || !PlaceholderUnit.matches(tree.text(field).span) { return (field, index) }
      placeholder = placeholder ?? (field, index)
    }
    return placeholder
  }
}
