/// What a host can put into a JSON value that could not be read back from JSON text.
package struct JSONFlaw: Hashable, Sendable {
  /// Where it is: names and places, from the outside in.
  package var path: [String]
  /// What should be there.
  package var expected: String
}

extension JSONValue {
  /// How deep a value may be nested that is to be read back.
  package static var deepestNesting: Int { JSONScanner.deepestNesting }

  /// The first number that is not finite, or list or object that is nested too deep; nil when there is none.
  ///
  /// - Complexity: O(size). However deep the value is, the recursion is not.
  package func firstFlaw(deepest: Int = JSONValue.deepestNesting) -> JSONFlaw? {
    guard let (path, expected) = flaw(deepest, 0) else { return nil }
    return JSONFlaw(path: path.reversed(), expected: expected)
  }

  /// The path comes from the inside out, so that it is made only when there is a flaw.
  private func flaw(_ deepest: Int, _ depth: Int) -> (path: [String], expected: String)? {
    if self.depth > 0, depth == deepest { return ([], "nested at most \(deepest) deep") }
    switch self {
    case .number(let number) where !number.isFinite: return ([], "a finite number")
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let (path, expected) = value.flaw(deepest, depth + 1) {
          return (path + ["\(index)"], expected)
        }
      }
    case .object(let object):
      for member in object.members {
        if let (path, expected) = member.value.flaw(deepest, depth + 1) {
          return (path + [member.name], expected)
        }
      }
    default: break
    }
    return nil
  }
}
