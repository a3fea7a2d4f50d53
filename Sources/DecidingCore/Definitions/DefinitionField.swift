internal import Events
package import Specifications

/// A member of a part of a definition: see ``DefinitionTable``.
package struct DefinitionField<Owner: Sendable, Problem: DefinitionProblem>: Sendable {
  /// When a member is there.
  enum Presence {
    /// In every definition.
    case required
    /// In every definition that is written.
    case written
    /// When it has a value, which is not the default.
    case optional
  }

  /// The name of the member.
  package let name: String
  let schema: JSONValue
  let presence: Presence
  /// Sets the property to what an object has, if it has the member.
  let read: @Sendable (inout Owner, DefinitionReader<Problem>) throws(Problem) -> Void
  /// Returns the JSON of the property, given the value with all defaults; nil when it is left out.
  let write: @Sendable (Owner, _ standard: Owner) -> JSONValue?
  /// Checks the property, whose member has the path.
  let check: @Sendable (Owner, _ path: String) throws(Problem) -> Void

  private init<Value>(
    _ name: String, _ presence: Presence, _ path: any ParameterPath<Owner, Value>,
    _ kind: DefinitionKind<Value, Problem>,
    isDefault: @escaping @Sendable (_ value: Value, _ standard: Value) -> Bool = { _, _ in false }
  ) {
    (self.name, self.presence, schema) = (name, presence, kind.schema)
    read = { (owner, reader) throws(Problem) in
      let member =
        presence == .required
        ? try reader.required(name) : kind.acceptsNull ? reader.member(name) : reader.optional(name)
      if let member { owner[keyPath: path] = try kind.read(member) }
    }
    write = { owner, standard in
      let value = owner[keyPath: path]
      return isDefault(value, standard[keyPath: path]) ? nil : kind.write(value)
    }
    check = { (owner, place) throws(Problem) in try kind.check(owner[keyPath: path], place) }
  }

  /// Declares a required member.
  package static func required<Value>(
    _ name: String, _ path: any ParameterPath<Owner, Value>, _ kind: DefinitionKind<Value, Problem>
  ) -> Self {
    Self(name, .required, path, kind)
  }

  /// Declares a member that is always written, and may be missing.
  package static func always<Value>(
    _ name: String, _ path: any ParameterPath<Owner, Value>, _ kind: DefinitionKind<Value, Problem>
  ) -> Self {
    Self(name, .written, path, kind)
  }

  /// Declares a member that is written unless it is the default.
  package static func field<Value: Equatable>(
    _ name: String, _ path: any ParameterPath<Owner, Value>, _ kind: DefinitionKind<Value, Problem>
  ) -> Self {
    Self(name, .optional, path, kind, isDefault: ==)
  }

  /// Declares a member without a default, which is nil when it is missing.
  package static func optional<Value>(
    _ name: String, _ path: any ParameterPath<Owner, Value?>, _ kind: DefinitionKind<Value, Problem>
  ) -> Self {
    Self(name, .optional, path, kind.optional)
  }
}
