import Events

extension FieldTree {
  /// Returns the first field of some names and marks it as used; nil if there is none.
  mutating func take(among names: FieldNames?) -> Field? {
    let field = names?.find(in: self)
    if let field { use(field) }
    return field
  }

  /// Returns the field of some names, marked as used, and its name or, if there is none, the first of them.
  mutating func takeNamed(among names: FieldNames) -> (field: Field?, name: FieldName) {
    let found = names.look(in: self)
    if let found { use(found.field) }
    return (found?.field, names[found?.index ?? 0])
  }

  /// Returns the field of some names, which has a content, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  mutating func require(among names: FieldNames) throws(Rejection) -> Field {
    guard let field = take(among: names), nodes[field.index].count > 0 else { throw Self.missing(names) }
    return field
  }

  /// Returns the unit, which has a content, as ``requireUnit(among:)`` does; nil if there is none.
  mutating func takeUnit(among names: FieldNames) -> Field? {
    guard let unit = names.find(in: self, asUnit: true), nodes[unit.index].count > 0 else { return nil }
    use(unit)
    return unit
  }

  /// Returns the unit, which has a content and does not stand for a missing one if another does not, and marks it as
  /// used.
  ///
  /// - Throws: ``Rejection`` `placeholder` if all are empty, or a JSON object has none of them, and `event` if a table
  ///   has no such column.
  mutating func requireUnit(among names: FieldNames) throws(Rejection) -> Field {
    if let unit = takeUnit(among: names) { return unit }
    var missing = Self.missing(names)
    let isNamed = columns == nil || (0..<names.count).contains { names[$0].isNamed(in: self) }
    if isNamed { missing.category = .placeholder }
    throw missing
  }

  private static func missing(_ names: FieldNames) -> Rejection {
    Rejection(.event, "there is no \(names.strings.map { "\"\($0)\"" }.joined(separator: " or "))")
  }
}
