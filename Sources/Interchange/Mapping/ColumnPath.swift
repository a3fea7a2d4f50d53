import Events

/// The place of a mapped column: its name or, in nested JSON, the names on the way.
struct ColumnPath: Sendable {
  let name: String
  private let whole: [UInt8]
  private let parts: [[UInt8]]

  init(_ name: String) {
    self.name = name
    whole = Array(name.utf8)
    parts = name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
  }

  /// Returns the field, which is looked up by the whole name first; nil if it is absent.
  func find(in tree: FieldTree) -> FieldTree.Field? {
    if let field = tree.find(whole, in: tree.root) { return field }
    guard parts.count > 1 else { return nil }
    var place = tree.root
    for part in parts {
      guard let next = tree.find(part, in: place) else { return nil }
      place = next
    }
    return place
  }
}

/// The source of a field, looked up in a record.
final class MappedSource: Sendable {
  private enum Kind: Sendable {
    case column(ColumnPath)
    case constant([UInt8])
    case eachName
    case eachValue
  }

  private let kind: Kind
  /// The source in messages: `column "user"`.
  let text: String

  init(_ source: EventMapping.Source) {
    switch source {
    case .column("{column}"), .constant("{column}"): (kind, text) = (.eachName, "the column's name")
    case .column("{value}"), .constant("{value}"): (kind, text) = (.eachValue, "the column")
    case .column(let name): (kind, text) = (.column(ColumnPath(name)), "column \"\(name)\"")
    case .constant(let value): (kind, text) = (.constant(Array(value.utf8)), "\"\(value)\"")
    }
  }

  /// Whether the content is different for each of several columns that are events of their own.
  var variesByColumn: Bool {
    switch kind {
    case .eachName, .eachValue: true
    case .column, .constant: false
    }
  }

  /// The content found for a source.
  enum Content {
    case field(FieldTree.Field)
    case text([UInt8])
  }

  /// Returns the content, and marks a field as used; nil if the field is absent.
  func take(_ tree: inout FieldTree, _ each: MappedColumn?) -> Content? {
    switch kind {
    case .constant(let bytes): return .text(bytes)
    case .eachName: return each.map { .text($0.name) }
    case .eachValue: return each.map { .field($0.field) }
    case .column(let path):
      guard let field = path.find(in: tree) else { return nil }
      tree.use(field)
      return .field(field)
    }
  }
}

/// The source of each of the fields with a fixed name.
struct MappedSources: Sendable {
  private let sources: [MappedSource?]

  init(_ source: (EventField.Plain) -> EventMapping.Source?) {
    sources = EventField.Plain.allCases.map { source($0).map(MappedSource.init) }
  }

  subscript(field: EventField.Plain) -> MappedSource? { sources[field.rawValue] }
}

extension MappedSource {
  /// Returns the content, and marks a field as used; nil if the field is absent or an empty text, as CSV writes absent
  /// fields.
  func takeFilled(_ tree: inout FieldTree, _ each: MappedColumn?) -> Content? {
    guard let content = take(&tree, each), !tree.bytes(of: content).isEmpty else { return nil }
    return content
  }
}

/// One of several columns that are events of their own.
struct MappedColumn {
  let name: [UInt8]
  let field: FieldTree.Field
}

extension FieldTree {
  /// Returns the bytes of a content.
  func bytes(of content: MappedSource.Content) -> ArraySlice<UInt8> {
    switch content {
    case .field(let field): text(field)
    case .text(let bytes): bytes[...]
    }
  }

  /// Returns the elements of a list: of JSON, or of a text separated by the first of `|`, `;` and `,` that it has,
  /// without the spaces around them.
  ///
  /// - Throws: ``Rejection`` `event` if it is a JSON object, an element of JSON is null, a list or an object, or one of
  ///   a text is empty.
  func parts(
    of content: MappedSource.Content, _ name: String
  ) throws(Rejection) -> [ArraySlice<UInt8>] {
    if case .field(let field) = content, isObject(field) {
      throw Rejection(.event, "the \(name) are an object and must be a list, such as [\"A\",\"B\"]")
    }
    if case .field(let field) = content, isList(field) {
      var parts: [ArraySlice<UInt8>] = []
      for element in children(of: field) {
        guard !isNull(element) else {
          throw Rejection(.event, "the \(name) have null among them")
        }
        guard !isList(element), !isObject(element) else {
          throw Rejection(.event, "the \(name) have a list or an object among them")
        }
        parts.append(text(element))
      }
      return parts
    }
    let text = bytes(of: content)
    guard let separator = ("|;,".utf8).first(where: { text.contains($0) }) else { return [text] }
    var parts: [ArraySlice<UInt8>] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      guard let first = part.firstIndex(where: { !isSpace($0) }),
        let last = part.lastIndex(where: { !isSpace($0) })
      else { throw Rejection(.event, "the \(name) have an empty one among them") }
      parts.append(part[first...last])
    }
    return parts
  }

  /// Returns a content as a number; nil if it is not one.
  func number(_ content: MappedSource.Content) -> Double? {
    switch content {
    case .field(let field): number(field)
    case .text(let bytes): JSONNumber.double(of: bytes.span)
    }
  }

  /// Returns a content as an attribute's value, copying a text into an event.
  func value(
    _ content: MappedSource.Content, for event: inout EventRecord
  ) -> EventRecord.Value {
    switch content {
    case .field(let field): value(field, for: &event)
    case .text(let bytes):
      if JSONNumber.isNumber(bytes.span), let number = JSONNumber.double(of: bytes.span) {
        .number(number)
      } else {
        .text(event.add(bytes[...]))
      }
    }
  }
}
