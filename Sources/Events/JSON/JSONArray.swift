/// A list of JSON values.
public struct JSONArray: Sendable {
  /// The storage; nil if the list is empty.
  private(set) var branch: JSONBranch?

  /// Creates a list of the values of a sequence, in order.
  ///
  /// - Complexity: O(n).
  public init(_ elements: some Sequence<JSONValue> = []) {
    let elements = Array(elements)
    branch = elements.isEmpty ? nil : JSONBranch(values: elements)
  }

  /// The values as an `Array`.
  ///
  /// - Complexity: O(1).
  public var elements: [JSONValue] { branch?.values ?? [] }

  /// The nesting depth, including this list.
  var depth: Int { branch?.depth ?? 1 }
}

extension JSONArray: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { branch?.values.count ?? 0 }
  /// The value at an index.
  public subscript(index: Int) -> JSONValue { elements[index] }
}

extension JSONArray: Hashable, ExpressibleByArrayLiteral {
  /// Creates a list from a literal.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }

  /// Compares the values semantically.
  public static func == (a: JSONArray, b: JSONArray) -> Bool {
    JSONValue.array(a) == JSONValue.array(b)
  }

  /// Hashes the values, consistently with `==`.
  public func hash(into hasher: inout Hasher) { JSONValue.array(self).hash(into: &hasher) }
}
