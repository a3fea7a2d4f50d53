/// A flaw of a JSON value that prevents it from being read back from JSON text.
package struct JSONIssue: Hashable, Sendable {
  /// The location as names and indices, from the outside in.
  package var path: [String]
  /// The expected value.
  package var expected: String
}

extension JSONValue {
  /// The maximum nesting depth of a value that can be read back.
  package static var deepestNesting: Int { JSONScanner.deepestNesting }

  /// Returns the first number that is not finite, or list or object that is nested too deep; nil if there is none.
  ///
  /// - Complexity: O(size). The recursion is bounded whatever the depth of the value.
  package func firstFlaw(deepest: Int = JSONValue.deepestNesting) -> JSONIssue? {
    guard let (path, expected) = flaw(deepest, 0) else { return nil }
    return JSONIssue(path: path.reversed(), expected: expected)
  }

  /// Returns the flaw with its path from the inside out, so that the path is only built if there is a flaw.
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
