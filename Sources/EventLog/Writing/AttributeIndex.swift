/// The index of an attribute and type among the attribute columns of a frame. Attributes have small codes, so most are
/// found with a single access to a table by code; larger codes are in a dictionary, so that no code makes the table
/// large.
struct AttributeIndex: Sendable {
  private static let columns = 32..<48
  private static let tableLimit: UInt32 = 1 << 14

  /// By column, then by key: the index plus one, 0 if there is none.
  private var tables: [[UInt32]] = Array(repeating: [], count: columns.count)
  private var others: [UInt64: Int] = [:]

  /// The index; -1 if there is none.
  subscript(column: ColumnID, key: UInt32) -> Int {
    @inline(__always) get {
      let table = Int(column.rawValue) &- Self.columns.lowerBound
      if tables.indices.contains(table), key < tables[table].count {
        return Int(tables[table][Int(key)]) &- 1
      }
      return others.isEmpty ? -1 : others[Self.both(column, key)] ?? -1
    }
    set {
      let table = Int(column.rawValue) - Self.columns.lowerBound
      guard tables.indices.contains(table), key < Self.tableLimit else {
        others[Self.both(column, key)] = newValue
        return
      }
      let missing = Int(key) + 1 - tables[table].count
      if missing > 0 { tables[table].append(contentsOf: repeatElement(0, count: missing)) }
      tables[table][Int(key)] = UInt32(newValue + 1)
    }
  }

  private static func both(_ column: ColumnID, _ key: UInt32) -> UInt64 {
    UInt64(column.rawValue) << 32 | UInt64(key)
  }
}
