import Events

extension FieldTree {
  /// Returns the field of a choice and marks it as used; nil if there is none.
  mutating func take(among choice: ColumnChoice?) -> Field? {
    let field = choice?.find(in: self)
    if let field { use(field) }
    return field
  }

  /// Returns the field of a choice, which has a content, and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if there is none.
  mutating func require(among choice: ColumnChoice) throws(Rejection) -> Field {
    guard let field = take(among: choice), nodes[field.index].count > 0 else { throw Self.missing(choice) }
    return field
  }

  /// Returns the unit, which has a content and does not stand for a missing one if another of the choice does not, and
  /// marks it as used.
  ///
  /// - Throws: ``Rejection`` `placeholder` if all are empty, or a JSON object has none of them, and `event` if a table
  ///   has no such column.
  mutating func requireUnit(among choice: ColumnChoice) throws(Rejection) -> Field {
    if let unit = choice.find(in: self, asUnit: true), nodes[unit.index].count > 0 {
      use(unit)
      return unit
    }
    var missing = Self.missing(choice)
    if columns == nil || choice.columns.contains(where: { $0.isNamed(in: self) }) { missing.category = .placeholder }
    throw missing
  }

  private static func missing(_ choice: ColumnChoice) -> Rejection {
    Rejection(.event, "there is no \(choice.columns.map { "\"\($0.name)\"" }.joined(separator: " or "))")
  }
}
