import TestSupport
import Testing

@testable import Replay

@Suite("Index table")
struct IndexTableTests {
  /// How values are hashed: well, all to a few places, and all to one.
  enum Hashing: CaseIterable {
    case spread, clustered, same

    func code(_ value: UInt64) -> Int {
      switch self {
      case .spread: IndexTable.code(value, value >> 7)
      case .clustered: Int(value % 3) + 61
      case .same: Int.max
      }
    }
  }

  @Test(
    "gives the indices that a dictionary gives", arguments: Hashing.allCases,
    1...20 as ClosedRange<UInt64>)
  func twin(hashing: Hashing, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = IndexTable()
    var (values, known): ([UInt64], [UInt64: Int]) = ([], [:])
    for _ in 0..<1_000 {
      let value = UInt64(random.index(300))
      let location = table.find(hashing.code(value)) { values[$0] == value }
      #expect(location.index == known[value])
      if location.index == nil {
        known[value] = values.count
        values.append(value)
        table.add(at: location)
        if table.isFull { table.grow(values.map(hashing.code)) }
      }
      #expect(table.count == values.count)
      if random.chance(0.002) {
        table.removeAll()
        (values, known) = ([], [:])
      }
    }
  }
}
