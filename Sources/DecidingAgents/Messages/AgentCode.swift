package import Events

/// The rules for codes of agents, points, slots, choices and goals: letters, digits, `_` and `-`.
package enum AgentCode {
  /// The maximum number of characters in a code.
  static let limit = 50
  /// The number of characters from which on an answer carries a warning.
  static let warningLength = 25
  /// The reserved code, which stands for every agent.
  package static let reserved = "-"

  /// The JSON Schema of a code.
  package static let schema: JSONValue = [
    "type": "string", "pattern": .string("^[0-9A-Za-z_-]{1,\(limit)}$"),
  ]

  /// Checks a code. The id of a session can be any nonempty text.
  ///
  /// - Throws: ``AgentError/invalidCode(_:role:)`` for an empty text or one with a character other than ASCII
  ///   letters, digits, `_` and `-`; ``AgentError/codeTooLong(_:limit:)`` from 51 characters on;
  ///   ``AgentError/reservedCode(_:)`` for the agent `-`.
  /// - Complexity: O(length).
  package static func check(_ text: String, role: AgentCodeRole) throws(AgentError) {
    let bytes = text.utf8
    guard !bytes.isEmpty else { throw .invalidCode(text, role: role) }
    guard role != .session else { return }
    guard isAllowed(bytes.span) else { throw .invalidCode(text, role: role) }
    guard bytes.count <= limit else { throw .codeTooLong(text, limit: limit) }
    if role == .agent, text == reserved { throw .reservedCode(text) }
  }

  /// Returns the warning about a long code; nil when it is short.
  static func warning(about text: String, role: AgentCodeRole) -> String? {
    guard text.utf8.count >= warningLength else { return nil }
    return "\(role.rawValue) code \"\(text)\" has \(text.utf8.count) characters; use fewer than "
      + "\(warningLength)"
  }

  private static func isAllowed(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where !isAllowed(bytes[index]) { return false }
    return true
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns the reason why a code is invalid.
  static func complaint(about text: String, role: AgentCodeRole) -> String {
    guard role != .session else {
      return "a session has no id; give it any text, or nil for a new one"
    }
    let remedy = "; use letters, digits, _ and -"
    let bad = text.unicodeScalars.first { !$0.isASCII || !isAllowed(UInt8($0.value)) }
    let code = "\(role.rawValue) code \"\(text)\""
    guard let bad else { return "\(code) is empty" + remedy }
    return bad == " " ? "\(code) has a blank" + remedy : "\(code) has a \"\(bad)\"" + remedy
  }
}
