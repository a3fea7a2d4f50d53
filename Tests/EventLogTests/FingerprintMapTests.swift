import TestSupport
import Testing

@testable import EventLog

@Suite("Fingerprint map")
struct FingerprintMapTests {
  /// Keys spread evenly, in one corner, or with equal upper halves.
  private func key(_ kind: Int, _ range: UInt64, _ random: inout SeededGenerator) -> Fingerprint {
    let number = UInt64.random(in: 0..<range, using: &random)
    switch kind {
    case 0:
      var mixed = SeededGenerator(seed: number)
      return Fingerprint(high: mixed.next(), low: mixed.next())
    case 1: return Fingerprint(high: number, low: number &* 3)
    default: return Fingerprint(high: .max, low: .max - number)
    }
  }

  @Test(
    "answers like a dictionary, in memory and on disk",
    arguments: [(1, 0), (3, 1 << 20), (16, 64), (100, 4_096), (100_000, 1 << 20)], [0, 1, 2])
  func likeDictionary(settings: (capacity: Int, budget: Int), kind: Int) throws {
    let directory = try TemporaryFolder()
    for seed in UInt64(0)..<2 {
      var random = SeededGenerator(seed: seed)
      var map = FingerprintMap(
        directory: directory.path, memoryCapacity: settings.capacity,
        filterBudget: settings.budget)
      var twin: [Fingerprint: UInt32] = [:]
      #expect(map.isEmpty)
      for step in 0..<1_500 {
        let key = key(kind, 400, &random)
        if step % 3 == 0 {
          #expect(try map.value(for: key) == twin[key], "seed \(seed)")
        } else if step % 3 == 1 {
          let before = twin[key] ?? 0
          #expect(try map.increment(key) == before, "seed \(seed)")
          twin[key] = before == .max ? before : before + 1
        } else {
          let value = step % 30 == 2 ? .max : UInt32.random(in: 0...UInt32.max, using: &random)
          try map.set(value, for: key)
          twin[key] = value
        }
        #expect(map.filterBytes <= settings.budget)
      }
      var all: [Fingerprint: UInt32] = [:]
      var calls = 0
      try map.forEach { (key, value) throws(FingerprintMapError) in
        all[key] = value
        calls += 1
      }
      #expect(all == twin, "seed \(seed)")
      #expect(calls == twin.count)
      for (key, value) in twin { #expect(try map.value(for: key) == value) }
    }
    #expect(directory.files.isEmpty)
  }

  @Test("finds every entry of a run with many pages, and nothing else")
  func largeRuns() throws {
    let directory = try TemporaryFolder()
    for kind in 0..<3 {
      var random = SeededGenerator(seed: 9)
      var map = FingerprintMap(
        directory: directory.path, memoryCapacity: 1_500, filterBudget: 0)
      var twin: [Fingerprint: UInt32] = [:]
      for index in 0..<10_000 {
        let key = key(kind, 1 << 40, &random)
        try map.set(UInt32(index), for: key)
        twin[key] = UInt32(index)
      }
      #expect(map.runCount > 1)
      for (key, value) in twin.prefix(500) { #expect(try map.value(for: key) == value) }
      for _ in 0..<200 {
        let key = key(kind, 1 << 41, &random)
        #expect(try map.value(for: key) == twin[key])
      }
    }
  }

  @Test("runs stay few: at most three of each level")
  func runCount() throws {
    let directory = try TemporaryFolder()
    var map = FingerprintMap(directory: directory.path, memoryCapacity: 4)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<4_000 { try map.set(1, for: key(0, .max, &random)) }
    // A thousand runs of four entries make at most five levels, since 4^5 = 1,024.
    #expect(map.runCount <= 15)
  }

  @Test("a copy is independent")
  func copies() throws {
    let directory = try TemporaryFolder()
    var map = FingerprintMap(directory: directory.path, memoryCapacity: 2)
    let keys = (0..<20).map { Fingerprint(high: $0, low: $0) }
    for key in keys { try map.set(1, for: key) }
    var copy = map
    for key in keys { try copy.set(2, for: key) }
    for key in keys {
      #expect(try map.value(for: key) == 1)
      #expect(try copy.value(for: key) == 2)
    }
  }

  @Test("a missing directory is an error that names it, and the map is unchanged")
  func cannotSpill() throws {
    var map = FingerprintMap(directory: "/nonexistent/folder", memoryCapacity: 3)
    let keys = (0..<4).map { Fingerprint(high: $0, low: $0) }
    for key in keys.prefix(3) { try map.set(7, for: key) }
    let error = #expect(throws: FingerprintMapError.self) { try map.set(7, for: keys[3]) }
    #expect(error?.code == .cannotCreate)
    #expect(error?.description.contains("/nonexistent/folder") == true)
    for key in keys.prefix(3) { #expect(try map.value(for: key) == 7) }
    #expect(try map.value(for: keys[3]) == nil)
    try map.set(8, for: keys[0])
    #expect(try map.value(for: keys[0]) == 8)
  }
}

@Suite("Fingerprint filter")
struct FingerprintFilterTests {
  @Test("never denies a key that was inserted, also after halving, and denies most others")
  func membership() throws {
    var random = SeededGenerator(seed: 2)
    let keys = (0..<5_000).map { _ in Fingerprint(high: random.next(), low: random.next()) }
    let others = (0..<5_000).map { _ in Fingerprint(high: random.next(), low: random.next()) }
    var filter = try #require(FingerprintFilter(count: keys.count, budget: 1 << 20))
    for key in keys { filter.insert(key) }
    #expect(keys.allSatisfy { filter.mayContain($0) })
    #expect(others.count { filter.mayContain($0) } < 250)
    let half = try #require(filter.halved(count: keys.count))
    #expect(half.byteCount == filter.byteCount / 2)
    #expect(keys.allSatisfy { half.mayContain($0) })
    #expect(others.count { half.mayContain($0) } < 2_500)
  }

  @Test("is omitted if the budget is less than a bit for each key")
  func budget() {
    #expect(FingerprintFilter(count: 10_000, budget: 0) == nil)
    #expect(FingerprintFilter(count: 10_000, budget: 1_000) == nil)
    #expect(FingerprintFilter(count: 10_000, budget: 3_000)?.byteCount == 2_048)
  }
}
