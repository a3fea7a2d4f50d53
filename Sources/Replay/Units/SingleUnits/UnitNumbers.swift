/// Assigns dense numbers to the units of an experiment, in order of first appearance.
///
/// Memory: 12 to 20 bytes for each unit.
struct UnitNumbers: Sendable {
  /// The codes of the units by their numbers.
  private(set) var units: [UInt32] = []
  private var table = IndexTable()

  @inline(__always)
  private static func code(_ unit: UInt32) -> Int {
    IndexTable.code(UInt64(unit) &* 0x9E37_79B9_7F4A_7C15)
  }

  @inline(__always)
  private func find(_ unit: UInt32) -> IndexTable.Location {
    table.find(Self.code(unit)) { units[$0] == unit }
  }

  /// Returns the number of a unit; nil if it has none.
  func known(_ unit: UInt32) -> Int? { find(unit).index }

  /// Returns the number of a unit, adding it if needed.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  mutating func number(of unit: UInt32) -> Int {
    let location = find(unit)
    return location.index ?? add(unit, at: location)
  }

  private mutating func add(_ unit: UInt32, at location: IndexTable.Location) -> Int {
    units.append(unit)
    table.add(at: location)
    if table.isFull { table.grow(units.lazy.map(Self.code)) }
    return units.count - 1
  }
}
