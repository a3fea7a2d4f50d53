internal import Events

/// What a host can put into a JSON value that no JSON text can say, so that a log would not give it back.
enum JSONFlaw {
  /// The parser of JSON reads 64 levels, and a snapshot puts five of its own around a document.
  private static let deepestNesting = 56

  /// The first number that is not finite, or list or object that is nested too deep; nil when there is none.
  static func first(in value: JSONValue) -> ConfigError? {
    guard let (path, expected) = flaw(in: value, depth: 0) else { return nil }
    return .wrongType(path: path.reversed().joined(separator: "."), expected: expected)
  }

  /// The path comes from the inside out, so that it is made only when there is a flaw.
  private static func flaw(in value: JSONValue, depth: Int) -> (path: [String], expected: String)? {
    switch value {
    case .number(let number) where !number.isFinite: return ([], "a finite number")
    case .array(let values):
      if depth == deepestNesting { return ([], tooDeep) }
      for (index, value) in values.enumerated() {
        if let (path, expected) = flaw(in: value, depth: depth + 1) {
          return (path + ["\(index)"], expected)
        }
      }
    case .object(let object):
      if depth == deepestNesting { return ([], tooDeep) }
      for member in object.members {
        if let (path, expected) = flaw(in: member.value, depth: depth + 1) {
          return (path + [member.name], expected)
        }
      }
    default: break
    }
    return nil
  }

  private static var tooDeep: String { "nested at most \(deepestNesting) deep" }
}
