import Events

/// A condition for an event to be there: that a column has a content which is neither 0 nor false or, with `==`, one
/// that is given, or any with `== *`.
struct MappedCondition: Sendable {
  /// A content that is asked for.
  private struct Content: Sendable {
    let bytes: [UInt8]
    let number: Double?
    let digits: [UInt8]?
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
      let bytes = Array(content.utf8)
      return Content(
        bytes: bytes, number: JSONNumber.double(of: bytes.span), digits: Self.digits(bytes),
        isTruth: ["true", "false"].contains(content.lowercased()))
    }
    text = entry.text
    isWanted = entry.field == .plain(.when)
  }

  /// Returns a text that is the same for contents that are met by the same fields.
  static func key(_ content: String) -> String {
    if let digits = digits(Array(content.utf8)) { return String(decoding: digits, as: UTF8.self) }
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

  /// Returns a number without what does not change it: `1` for `1.0`; nil of a text such as `01` or `+1`, which is no
  /// number, and of a number with an exponent.
  private static func digits(_ text: some Collection<UInt8>) -> [UInt8]? {
    var digits = Array(text)
    guard JSONNumber.isNumber(digits.span), !digits.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return nil
    }
    if digits.contains(UInt8(ascii: ".")) {
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.last == UInt8(ascii: ".") { digits.removeLast() }
    }
    return digits == Array("-0".utf8) ? [UInt8(ascii: "0")] : digits
  }

  /// Whether two texts of one `Double` are one number: by their digits or, where one has an exponent, by their values.
  private static func isSame(_ text: some Collection<UInt8>, _ content: Content) -> Bool {
    guard let own = digits(text), let digits = content.digits else {
      return JSONNumber.isNumber(Array(text).span) && JSONNumber.isNumber(content.bytes.span)
    }
    return own == digits
  }

  /// Numbers are compared as numbers, by all of their digits, and `true` and `false` in small and capital letters.
  private func isOneOfContents(_ tree: FieldTree) -> Bool {
    guard let field = tree.findFilled(source) else { return false }
    let text = tree.text(field)
    let number = tree.number(field)
    return contents.contains { content in
      if text.elementsEqual(content.bytes) { return true }
      if let number, number == content.number { return Self.isSame(text, content) }
      return content.isTruth && text.count == content.bytes.count
        && zip(text, content.bytes).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
  }
}
