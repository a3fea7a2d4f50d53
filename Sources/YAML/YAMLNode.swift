/// A part of a YAML file: a scalar, a sequence or a mapping, with its place.
package struct YAMLNode: Sendable {
  /// A key of a mapping with its value.
  package typealias Member = (key: YAMLNode, value: YAMLNode)

  /// The place in the file, counted from 1.
  package struct Mark: Hashable, Sendable {
    package var line: Int
    package var column: Int
  }

  enum Content: Sendable {
    /// A plain scalar stands without quotes, and is not a block.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Member])
  }

  let content: Content
  /// Where it begins.
  package let mark: Mark

  /// The text of a scalar; nil for others.
  package var string: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The elements of a sequence; nil for others.
  package var sequence: [YAMLNode]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  /// The members of a mapping in their order, each key once; nil for others.
  package var mapping: [Member]? {
    if case .mapping(let members) = content { members } else { nil }
  }

  /// Whether it is a value left out, `~` or `null`.
  package var isNull: Bool { ["", "~", "null", "Null", "NULL"].contains(plain) }

  /// The flag of `true`, `yes` or `on`, and of `false`, `no` or `off`; nil for others.
  package var bool: Bool? {
    switch plain?.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  private var plain: String? {
    if case .scalar(let text, isPlain: true) = content { text } else { nil }
  }
}

extension [YAMLNode.Member] {
  /// The value of a key.
  package subscript(name: String) -> YAMLNode? {
    first { $0.key.string == name }?.value
  }
}

/// Why a text is not YAML, in one line, which begins with the path and the place.
package struct YAMLError: Error, CustomStringConvertible {
  package let description: String

  init(_ path: String, _ mark: YAMLNode.Mark, _ reason: String) {
    description = "\(path):\(mark.line):\(mark.column): \(reason)"
  }
}
