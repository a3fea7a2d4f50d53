/// The header fields of a message, in order; names are compared without regard to case.
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The fields, their names in lowercase.
  public private(set) var list: [Field]

  /// A field.
  public struct Field: Sendable, Hashable {
    /// The name, in lowercase.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field; the name is lowercased.
    public init(_ name: String, _ value: String) {
      self.name = name.lowercased()
      self.value = value
    }
  }

  /// Creates fields.
  public init(_ fields: [Field] = []) { list = fields }

  /// Creates fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    list = elements.map { Field($0.0, $0.1) }
  }

  /// The first value of a field; nil if there is none. Setting replaces every value; setting nil removes the field.
  ///
  /// - Complexity: O(number of fields).
  public subscript(name: String) -> String? {
    get {
      let name = name.lowercased()
      return list.first { $0.name == name }?.value
    }
    set {
      let name = name.lowercased()
      list.removeAll { $0.name == name }
      if let newValue { list.append(Field(name, newValue)) }
    }
  }

  /// Appends a field, whether or not there is one with the name.
  public mutating func append(_ name: String, _ value: String) { list.append(Field(name, value)) }
}
