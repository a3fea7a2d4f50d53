package import Events
internal import Specifications

/// A kind of value in a definition: how it is read and written, which values are valid, and its JSON Schema (draft
/// 2020-12).
package struct DefinitionKind<Value: Sendable, Problem: DefinitionProblem>: Sendable {
  package typealias Reader = DefinitionReader<Problem>

  /// The JSON Schema.
  package private(set) var schema: JSONValue
  /// Reads a value. Null is a missing value, except for kinds that accept it.
  package let read: @Sendable (Reader) throws(Problem) -> Value
  /// Returns the JSON of a value; nil for one that is expressed by leaving it out.
  package let write: @Sendable (Value) -> JSONValue?
  /// Checks a value, which has the path.
  package private(set) var check: @Sendable (Value, String) throws(Problem) -> Void = { _, _ in }
  /// Whether null is a value.
  let acceptsNull: Bool

  /// Creates a kind.
  package init(
    _ schema: JSONValue = [:], acceptsNull: Bool = false,
    _ read: @escaping @Sendable (Reader) throws(Problem) -> Value,
    write: @escaping @Sendable (Value) -> JSONValue?
  ) {
    self.schema = schema
    self.acceptsNull = acceptsNull
    self.read = read
    self.write = write
  }

  /// Creates a kind from a function of a reader, such as `Reader.text`.
  package init(
    _ schema: JSONValue, _ read: @escaping @Sendable (Reader) -> () throws(Problem) -> Value,
    write: @escaping @Sendable (Value) -> JSONValue?
  ) {
    self.init(schema) { (reader) throws(Problem) in
      try read(reader)()
    } write: {
      write($0)
    }
  }

  /// Returns the kind with further members of the schema.
  package func adding(_ more: JSONObject) -> Self {
    var kind = self
    var object = schema.object ?? [:]
    for member in more.members { object[member.name] = member.value }
    kind.schema = .object(object)
    return kind
  }

  /// Returns the kind with a description in the schema.
  package func described(_ text: String) -> Self { adding(["description": .string(text)]) }

  /// Returns the kind with a further check.
  package func checked(
    _ more: @escaping @Sendable (Value, String) throws(Problem) -> Void
  ) -> Self {
    var kind = self
    kind.check = { [check] (value, path) throws(Problem) in
      try check(value, path)
      try more(value, path)
    }
    return kind
  }

  /// Returns the kind with limits: members of the schema, and the reason why a value is beyond them.
  package func limited(
    _ limits: JSONObject = [:], _ flaw: @escaping @Sendable (Value) -> String?
  ) -> Self {
    adding(limits).checked { (value, path) throws(Problem) in
      if let flaw = flaw(value) { throw .invalid(path, flaw) }
    }
  }

  /// Returns the kind of values that are made from those of this kind.
  package func map<New>(
    _ new: @escaping @Sendable (Value, Reader) throws(Problem) -> New,
    from old: @escaping @Sendable (New) -> Value
  ) -> DefinitionKind<New, Problem> {
    let kind = DefinitionKind<New, Problem>(schema, acceptsNull: acceptsNull) { (reader) throws(Problem) in
      try new(try read(reader), reader)
    } write: {
      write(old($0))
    }
    return kind.checked { (value, path) throws(Problem) in try check(old(value), path) }
  }
}

extension DefinitionKind {
  /// The kind of values that may be missing.
  var optional: DefinitionKind<Value?, Problem> {
    let kind = DefinitionKind<Value?, Problem>(schema) { (reader) throws(Problem) in
      try read(reader)
    } write: {
      $0.flatMap(write)
    }
    return kind.checked { (value, path) throws(Problem) in
      if let value { try check(value, path) }
    }
  }
}

extension DefinitionKind where Value == String {
  /// A text.
  package static var text: Self { text(JSONSchema.string) }

  /// A text with a schema.
  package static func text(_ schema: JSONValue) -> Self { Self(schema, Reader.text) { .string($0) } }
}

extension DefinitionKind where Value == Double {
  /// A number.
  package static var number: Self { Self(JSONSchema.number, Reader.number) { .number($0) } }

  /// A number in a range.
  package static func number(in range: ClosedRange<Double>) -> Self {
    number.limited(["minimum": limit(range.lowerBound), "maximum": limit(range.upperBound)]) {
      range.contains($0) ? nil : "must be from \(range.lowerBound) to \(range.upperBound), not \($0)"
    }
  }

  private static func limit(_ number: Double) -> JSONValue {
    NumberText.integer(number).map { .integer($0) } ?? .number(number)
  }
}

extension DefinitionKind where Value == Int64 {
  /// A whole number.
  package static var whole: Self { Self(["type": "integer"], Reader.whole) { .integer($0) } }
}

extension DefinitionKind where Value == Bool {
  /// A truth value.
  package static var flag: Self { Self(JSONSchema.boolean, Reader.flag) { .boolean($0) } }
}

extension DefinitionKind where Value == Timestamp {
  /// A time in ISO 8601 format.
  package static var time: Self {
    Self(["type": "string", "format": "date-time"], Reader.time) { .string($0.description) }
  }
}

extension DefinitionKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  package static var word: Self {
    Self(JSONSchema.word(Value.self)) { (reader) throws(Problem) in
      try reader.word(Value.self)
    } write: {
      .string($0.rawValue)
    }
  }
}

extension DefinitionKind where Value == JSONValue {
  /// Any value but null, which is written as if it were missing.
  package static var any: Self {
    Self { (reader) throws(Problem) in
      reader.value
    } write: {
      $0 == .null ? nil : $0
    }
  }
}

extension DefinitionKind where Value == JSONObject {
  /// An object of any members.
  package static var members: Self { Self(["type": "object"], Reader.members) { .object($0) } }
}

extension DefinitionKind {
  /// An object whose members are the fields of a table.
  package static func object(_ table: DefinitionTable<Value, Problem>) -> Self {
    let kind = Self(table.schema) { (reader) throws(Problem) in
      try table.read(reader)
    } write: {
      table.write($0)
    }
    return kind.checked { (value, path) throws(Problem) in try table.check(value, at: path) }
  }

  /// A list.
  package static func list<Element>(of element: DefinitionKind<Element, Problem>) -> Self
  where Value == [Element] {
    let kind = Self(JSONSchema.list(of: element.schema)) { (reader) throws(Problem) in
      try reader.elements().map(element.read)
    } write: {
      .array($0.compactMap(element.write))
    }
    return kind.checked { (values, path) throws(Problem) in
      for (index, value) in values.enumerated() {
        try element.check(value, Problem.wording.path(of: index, in: path))
      }
    }
  }
}
