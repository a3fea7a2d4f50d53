import TestSupport
import Testing

@testable import EventLog

@Suite("Fingerprint table")
struct FingerprintTableTests {
  /// Keys spread evenly, or at both ends of the order, where they run over the end of the slots.
  private func key(_ kind: Int, _ random: inout SeededGenerator) -> Fingerprint {
    let number = random.next()
    let high: UInt64 =
      switch kind {
      case 0: number
      case 1: .max - number % 50
      case 2: number % 50
      default: random.chance(0.5) ? .max - number % 1_000 : number % 1_000
      }
    return Fingerprint(high: high, low: random.next())
  }

  @Test("gives its entries in order, wherever they are, and is used again", arguments: 0..<30, 0..<4)
  func sorted(seed: UInt64, kind: Int) {
    var random = SeededGenerator(seed: seed)
    var table = FingerprintTable(capacity: 500)
    for count in [0, 1, 12, random.index(400)] {
      var twin: [Fingerprint: UInt32] = [:]
      for value in 0..<UInt32(count) {
        let key = key(kind, &random)
        let isSet = table.set(value, for: key)
        #expect(isSet)
        twin[key] = value
      }
      let entries = table.sorted()
      #expect(entries.map(\.key) == twin.keys.sorted(), "seed \(seed)")
      for entry in entries { #expect(twin[entry.key] == entry.value) }
      for (key, value) in twin { #expect(table.value(for: key) == value, "seed \(seed)") }
      table.removeAll()
      #expect(table.count == 0 && table.sorted().isEmpty)
      for key in twin.keys { #expect(table.value(for: key) == nil) }
    }
  }

  @Test("finds every entry after growing into large pages")
  func large() {
    var random = SeededGenerator(seed: 1)
    var table = FingerprintTable(capacity: 1 << 20)
    let keys = (0..<300_000).map { _ in key(0, &random) }
    for (index, key) in keys.enumerated() { _ = table.set(UInt32(index), for: key) }
    var found = 0
    for (index, key) in keys.enumerated() where table.value(for: key) == UInt32(index) { found += 1 }
    #expect(found == keys.count)
    let sorted = table.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.key < $1.key })
  }
}
