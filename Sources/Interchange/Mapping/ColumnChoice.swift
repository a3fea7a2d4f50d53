import Events

/// The columns that may fill a field, of which the first with a content counts.
struct ColumnChoice: FieldChoice {
  let columns: [ColumnPath]

  init(_ names: [String]) { columns = names.map { ColumnPath($0) } }

  func first(in tree: FieldTree, under object: FieldTree.Field) -> FieldTree.Field? {
    for column in columns { if let field = column.find(in: tree, under: object) { return field } }
    return nil
  }

  /// Returns the first field that has a content, or else that there is. As the unit, a text that stands for a missing
  /// one is none.
  func find(in tree: FieldTree, asUnit: Bool = false) -> FieldTree.Field? {
    if columns.count == 1 { return columns[0].find(in: tree) }
    var first: FieldTree.Field?
    for column in columns {
      guard let field = column.find(in: tree) else { continue }
      let isFilled = tree.nodes[field.index].count > 0
      if isFilled, !asUnit || !PlaceholderUnit.matches(tree.text(field).span) { return field }
      if first == nil || isFilled && tree.nodes[first?.index ?? 0].count == 0 { first = field }
    }
    return first
  }
}

/// The place of a column: its name or, in nested JSON, the names on the way.
struct ColumnPath: Sendable {
  let name: String
  let whole: [UInt8]
  private let parts: [[UInt8]]

  init(_ name: String) {
    self.name = name
    whole = Array(name.utf8)
    parts = name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
  }

  /// The name of the outermost object; nil if the name has no points.
  var outer: [UInt8]? { parts.count > 1 ? parts.first : nil }

  /// Returns the field, which is looked up by the whole name first; nil if it is absent.
  func find(in tree: FieldTree) -> FieldTree.Field? { find(in: tree, under: tree.root) }

  func find(in tree: FieldTree, under root: FieldTree.Field) -> FieldTree.Field? {
    if let field = tree.find(whole, in: root) { return field }
    guard parts.count > 1 else { return nil }
    var place = root
    for part in parts {
      guard let next = tree.find(part, in: place) else { return nil }
      place = next
    }
    return place
  }
}
