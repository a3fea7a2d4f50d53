/// The codes of agents, points, slots, choices and goals: letters, digits, `_` and `-`.
enum AgentCode {
  /// How many characters a code may have.
  static let limit = 50
  /// From how many characters on an answer carries a warning.
  static let warningLength = 25
  /// The agent that cannot be, as its code stands for every agent.
  static let reserved = "-"

  /// Checks a code. The id of a session may be any text but the empty one.
  ///
  /// - Throws: ``AgentError/invalidCode(_:role:)`` for an empty text or one with another character than
  ///   letters of the English alphabet, digits, `_` and `-`; ``AgentError/codeTooLong(_:limit:)`` from 51
  ///   characters on; ``AgentError/reservedCode(_:)`` for the agent `-`.
  /// - Complexity: O(length).
  static func check(_ text: String, role: AgentCodeRole) throws(AgentError) {
    let bytes = text.utf8
    guard !bytes.isEmpty else { throw .invalidCode(text, role: role) }
    guard role != .session else { return }
    guard isAllowed(bytes.span) else { throw .invalidCode(text, role: role) }
    guard bytes.count <= limit else { throw .codeTooLong(text, limit: limit) }
    if role == .agent, text == reserved { throw .reservedCode(text) }
  }

  /// What an answer says of a code that is rather long; nil when it is short.
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

  /// What is wrong with a code that did not pass.
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
