internal import DecidingCore
internal import Events
internal import Specifications

extension AgentCondition {
  /// The maximum length in bytes of a text that is matched against a regular expression. Visitors supply
  /// these texts, and a match takes time proportional to their length while other decisions wait.
  private static let longestMatched = 1_024

  /// Returns whether the condition holds for the values read. An absent value satisfies only `absent`. Of
  /// several values one that satisfies the condition is enough; `ne` holds when none is equal.
  func holds(for values: [JSONValue]) -> Bool {
    switch comparison {
    case .absent: values.isEmpty
    case .present: !values.isEmpty
    case .ne: !values.isEmpty && !values.contains { Self.isEqual($0, operand) }
    default: values.contains(where: isMet)
    }
  }

  private func isMet(by value: JSONValue) -> Bool {
    switch comparison {
    case .eq: Self.isEqual(value, operand)
    case .lt: compare(value, <)
    case .le: compare(value, <=)
    case .gt: compare(value, >)
    case .ge: compare(value, >=)
    case .contains: contains(value)
    case .starts: texts(value) { $0.starts(with: $1) }
    case .ends: texts(value) { $0.reversed().starts(with: $1.reversed()) }
    case .matches: matches(value)
    case .in: operand.array?.contains { Self.isEqual(value, $0) } ?? false
    case .ne, .present, .absent: false
    }
  }

  /// Returns whether two values are equal: numbers by value, even when one is text, and other values by their
  /// text.
  private static func isEqual(_ a: JSONValue, _ b: JSONValue) -> Bool {
    if a == b { return true }
    if let a = number(a), let b = number(b) { return a == b }
    guard let a = a.string ?? plain(a), let b = b.string ?? plain(b) else { return false }
    return a.utf8.elementsEqual(b.utf8)
  }

  /// A text, or how a number is written.
  private static func text(_ value: JSONValue) -> String? {
    value.string ?? value.number.map { _ in value.description }
  }

  private static func plain(_ value: JSONValue) -> String? {
    value.boolean.map { $0 ? "true" : "false" }
  }

  /// Returns the number, also when it is written as text, as in every trait.
  static func number(_ value: JSONValue) -> Double? {
    if let number = value.number { return number }
    guard let text = value.string, let first = text.utf8.first,
      first.isASCIIDigit || first == UInt8(ascii: "-"),
      text.utf8.allSatisfy({ $0.isASCIIDigit || "-+.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  private func compare(_ value: JSONValue, _ holds: (Double, Double) -> Bool) -> Bool {
    guard let a = Self.number(value), let b = Self.number(operand) else { return false }
    return holds(a, b)
  }

  private func contains(_ value: JSONValue) -> Bool {
    if let elements = value.array { return elements.contains { Self.isEqual($0, operand) } }
    guard let text = Self.text(value), let part = operand.string else { return false }
    return text.hasBytes(part)
  }

  private func texts(_ value: JSONValue, _ holds: (String.UTF8View, String.UTF8View) -> Bool)
    -> Bool
  {
    guard let a = Self.text(value), let b = operand.string else { return false }
    return holds(a.utf8, b.utf8)
  }

  private func matches(_ value: JSONValue) -> Bool {
    guard let text = Self.text(value), text.utf8.count <= Self.longestMatched else { return false }
    return pattern?.occurs(in: text) ?? false
  }
}
