/// A list of JSON values.
public struct JSONArray: Sendable {
  /// None when there is no value.
  private(set) var branch: JSONBranch?

  /// The values of a sequence, in its order.
  ///
  /// - Complexity: O(n).
  public init(_ elements: some Sequence<JSONValue> = []) {
    let elements = Array(elements)
    branch = elements.isEmpty ? nil : JSONBranch(values: elements)
  }

  /// The values as an array of the standard library.
  ///
  /// - Complexity: O(1).
  public var elements: [JSONValue] { branch?.values ?? [] }

  /// The most lists and objects on the way to any value, this one included.
  var depth: Int { branch?.depth ?? 1 }
}

extension JSONArray: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many values there are.
  public var endIndex: Int { branch?.values.count ?? 0 }
  /// The value at a place.
  public subscript(index: Int) -> JSONValue { elements[index] }
}

extension JSONArray: Hashable, ExpressibleByArrayLiteral {
  /// A list written in the source.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }

  /// Compares the values by meaning.
  public static func == (a: JSONArray, b: JSONArray) -> Bool {
    JSONValue.array(a) == JSONValue.array(b)
  }

  /// Hashes the values, to agree with `==`.
  public func hash(into hasher: inout Hasher) { JSONValue.array(self).hash(into: &hasher) }
}
