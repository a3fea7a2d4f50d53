import TestSupport
import Testing

@testable import EventLog

@Suite("Fingerprint list")
struct FingerprintListTests {
  @Test("has what was added, in order, in memory and beyond it", arguments: [1, 3, 100, 5_000])
  func inOrder(capacity: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: UInt64(capacity))
    var list = FingerprintList(directory: folder.path, memoryCapacity: capacity)
    var twin: [Fingerprint] = []
    for _ in 0..<2_000 {
      let key = Fingerprint(high: random.next(), low: random.next())
      try list.append(key)
      twin.append(key)
      // A copy that goes its own way changes nothing.
      guard random.chance(0.01) else { continue }
      var copy = list
      for _ in 0..<2 * min(capacity, 50) { try copy.append(Fingerprint(high: 0, low: 0)) }
    }
    var found: [Fingerprint] = []
    try list.forEachPart { (part) throws(FingerprintMapError) in found += part }
    #expect(found == twin)
    #expect(!list.isEmpty && folder.files.isEmpty)
  }

  @Test("a map counts them as one after the other", arguments: [2, 64, 10_000])
  func counting(capacity: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: UInt64(capacity))
    var map = FingerprintMap(directory: folder.path, memoryCapacity: capacity)
    var twin: [Fingerprint: UInt32] = [:]
    let keys = (0..<3_000).map { _ in
      var mixed = SeededGenerator(seed: UInt64(random.index(900)))
      return Fingerprint(high: mixed.next(), low: mixed.next())
    }
    for key in keys { twin[key, default: 0] += 1 }
    try map.increment(keys[...])
    for (key, count) in twin { #expect(try map.value(for: key) == count) }
  }
}
