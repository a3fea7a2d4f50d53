import Events

/// A condition for an event to be there: that a column has a content which is neither 0 nor false or, with `==`, one
/// that is given, or any with `== *`.
struct MappedCondition: Sendable {
  /// A content that is asked for.
  private struct Content: Sendable {
    let bytes: [UInt8]
    let number: Double?
    let isTruth: Bool
  }

  /// What stands for any content.
  static let any = "*"

  private let source: MappedSource
  private let isAny: Bool
  private let contents: [Content]
  /// The condition as it is written.
  private let text: String
  private let isWanted: Bool
  /// Whether a record that was read here has a content that is asked for.
  private var isMet = false
  private let met = SeenNames()

  init(_ entry: EventMapping.Entry, _ fields: inout MappedFields) {
    source = fields.add(entry.source, of: entry.field)
    let written = entry.term?.contents ?? []
    isAny = written.contains(Self.any)
    contents = (isAny ? [] : written).map { content in
      Content(
        bytes: Array(content.utf8), number: JSONNumber.double(of: Array(content.utf8).span),
        isTruth: ["true", "false"].contains(content.lowercased()))
    }
    text = entry.text
    isWanted = entry.field == .plain(.when)
  }

  /// Returns a text that is the same for contents that are met by the same fields.
  static func key(_ content: String) -> String {
    if let number = JSONNumber.double(of: Array(content.utf8).span) { return "\(number)" }
    return ["true", "false"].contains(content.lowercased()) ? content.lowercased() : content
  }

  /// Returns whether a content is 0 or false, for which no bare condition asks.
  static func isFalse(_ content: String) -> Bool {
    ["false", "no", "f", "n"].contains(content.lowercased()) || JSONNumber.double(of: Array(content.utf8).span) == 0
  }

  /// The condition if it asks for contents that no record had.
  var unmet: String? { contents.isEmpty || !met.names.isEmpty ? nil : text }

  /// Returns whether a record has the event as far as the condition says.
  mutating func allows(_ tree: FieldTree) -> Bool {
    let holds =
      if isAny { tree.findFilled(source) != nil } else if contents.isEmpty { tree.holds(source) } else {
        isOneOfContents(tree)
      }
    if holds, !isMet {
      isMet = true
      met.add(text)
    }
    return holds == isWanted
  }

  /// Numbers are compared as numbers, and `true` and `false` in small and capital letters.
  private func isOneOfContents(_ tree: FieldTree) -> Bool {
    guard let field = tree.findFilled(source) else { return false }
    let text = tree.text(field)
    let number = tree.number(field)
    return contents.contains { content in
      if text.elementsEqual(content.bytes) { return true }
      if let number, number == content.number { return true }
      return content.isTruth && text.count == content.bytes.count
        && zip(text, content.bytes).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
  }
}
