package import Events
package import Specifications

/// The members of a part of a definition, each declared once with its name, the property that it sets, and its kind:
///
/// ```swift
/// static let table = DefinitionTable<AgentSlot, AgentError>(
///   AgentSlot(choices: []),
///   [
///     .always("code", \.code, .code(.slot)),
///     .always("choices", \.choices, .list(of: .object(AgentOption.table))),
///   ])
/// ```
///
/// Reading, writing, the checks of single values and the JSON Schema follow from the table.
package struct DefinitionTable<Owner: Sendable, Problem: DefinitionProblem>: Sendable {
  package typealias Reader = DefinitionReader<Problem>

  /// What becomes of members that a table does not have.
  package enum Others: Sendable {
    /// They are refused.
    case refused
    /// They have no effect.
    case ignored
    /// They are in a property.
    case kept(any ParameterPath<Owner, JSONObject>)
  }

  /// The members in the order in which they are read and listed.
  package let fields: [DefinitionField<Owner, Problem>]
  /// The value whose members all have their defaults.
  private let standard: Owner
  private let bare: String?
  private let others: Others
  private let isForgiving: Bool

  /// Declares the members of a part.
  ///
  /// - Parameters:
  ///   - standard: The value whose members all have their defaults.
  ///   - bare: The member, a text, that stands alone for an object without others; nil for none.
  ///   - others: What becomes of members that the table does not have.
  ///   - isForgiving: Whether a member that is not required, and is invalid, is read as if it were missing.
  ///   - fields: The members.
  package init(
    _ standard: Owner, bare: String? = nil, others: Others = .refused, isForgiving: Bool = false,
    _ fields: [DefinitionField<Owner, Problem>]
  ) {
    self.standard = standard
    self.bare = bare
    self.others = others
    self.isForgiving = isForgiving
    self.fields = fields
  }

  /// Reads a part.
  package func read(_ reader: Reader) throws(Problem) -> Owner { try read(reader, onto: standard) }

  /// Reads a part, whose missing members have the values of another one.
  package func read(_ reader: Reader, onto other: Owner) throws(Problem) -> Owner {
    if let bare, reader.value.string != nil {
      let object = JSONObject([JSONObject.Member(name: bare, value: reader.value)])
      return try read(Reader(.object(object), at: reader.path), onto: other)
    }
    var owner = other
    switch others {
    case .refused: _ = try reader.members(among: fields.map(\.name))
    case .ignored: _ = try reader.members()
    case .kept(let path):
      var object = try reader.members()
      for field in fields { object[field.name] = nil }
      owner[keyPath: path] = object
    }
    for field in fields {
      do throws(Problem) {
        try field.read(&owner, reader)
      } catch  where !isForgiving || field.presence == .required {
        throw error
      } catch {}
    }
    return owner
  }

  /// Returns the JSON of a part.
  package func write(_ owner: Owner) -> JSONValue {
    let object = members(of: owner)
    if let bare, object.count == 1, let value = object[bare] { return value }
    return .object(object)
  }

  /// Returns the members of a part.
  package func members(of owner: Owner) -> JSONObject {
    var object: JSONObject = if case .kept(let path) = others { owner[keyPath: path] } else { [:] }
    for field in fields { object[field.name] = field.write(owner, standard) }
    return object
  }

  /// Checks the values of a part that has the path, each by itself.
  package func check(_ owner: Owner, at path: String = "") throws(Problem) {
    for field in fields {
      try field.check(owner, path.isEmpty ? field.name : "\(path).\(field.name)")
    }
  }

  /// Returns the names of members that the table does not have.
  package func others(in json: JSONValue?) -> [String] {
    (json?.object?.names ?? []).filter { name in !fields.contains { $0.name == name } }
  }

  private var isClosed: Bool { if case .refused = others { true } else { false } }

  /// The JSON Schema of each member.
  package var properties: JSONObject { JSONObject(fields.map { .init(name: $0.name, value: $0.schema) }) }

  /// The JSON Schema.
  package var schema: JSONValue {
    let object = JSONSchema.object(
      properties, required: fields.filter { $0.presence == .required }.map(\.name), isClosed: isClosed)
    let bareSchema = fields.first { $0.name == bare }?.schema
    return bareSchema.map { ["anyOf": [$0, object]] } ?? object
  }
}
