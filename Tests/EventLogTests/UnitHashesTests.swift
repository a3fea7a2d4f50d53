import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Hashes of units")
struct UnitHashesTests {
  /// A log with an event of each unit, two to a frame.
  private func log(_ units: [String], _ folder: TemporaryFolder) throws -> LogReader {
    let writer = try LogWriter(folder.path("log"))
    for start in stride(from: 0, to: units.count, by: 2) {
      try writer.append(
        units[start..<min(start + 2, units.count)].map { unit in
          Event(
            time: Timestamp(microseconds: 1), unit: UnitID(unit),
            payload: .goal(Goal(experiment: "e", goal: "g")))
        })
      try writer.commit()
    }
    return try LogReader(folder.path("log"))
  }

  @Test("depend on the name alone: the same in another log, whatever its code there")
  func names() throws {
    let units = ["a", "b", "é", "日本", "a-much-longer-name-of-a-unit", "c"]
    for order in [units, units.reversed()] {
      let folder = try TemporaryFolder()
      let reader = try log(order, folder)
      let hashes = try UnitHashes(reader)
      let names = try LogNames(reader, [.units])
      for code in 1...UInt32(units.count) {
        let name = try #require(try names.unit(code))
        #expect(hashes[code] == StableHash.of(name))
      }
      #expect(hashes[1] == StableHash.of(Array(order[0].utf8)[...]))
      #expect(hashes[100] == 100)
    }
  }

  @Test("hashes that occur several times are found like by counting each", arguments: UInt64(0)..<200)
  func repeated(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = random.index(2_000)
    // From so many that few occur twice to so few that most do, in the highest and in the lowest bits.
    let kinds = UInt64(8) << UInt64(random.index(12))
    let shift = UInt64(random.index(50))
    let hashes = (0..<count).map { _ in (random.next() % kinds) << shift }
    let counts = Dictionary(hashes.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(UnitHashes.repeated(among: hashes) == Set(counts.filter { $0.value > 1 }.keys))
  }

  @Test("different names with the same hash are ordered by their bytes, in every log")
  func ties() throws {
    // Pairs of names with the same 64-bit FNV-1a hash.
    let pairs = [
      ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"), ("7mohtcOFVz", "c1E51sSEyx"),
      (".jPx7rOtTDteKAwvfOEo", "pFuM83THhM-Qw8FI5FKo"),
    ]
    let units = pairs.flatMap { [$0.0, $0.1] } + ["a", "b"]
    for order in [units, units.reversed(), Array(units[3...] + units[..<3])] {
      let folder = try TemporaryFolder()
      let hashes = try UnitHashes(log(order, folder))
      let code = { (name: String) in UInt32(order.firstIndex(of: name) ?? 0) + 1 }
      for (first, second) in pairs {
        #expect(hashes[code(first)] == hashes[code(second)])
        #expect(hashes.order(of: code(first)) == hashes[code(first)])
        #expect(hashes.order(of: code(second)) == hashes[code(first)] + 1)
      }
      #expect(hashes.order(of: code("a")) == hashes[code("a")])
      #expect(hashes.order(of: 100) == 100)
    }
  }

  @Test("a unit whose name was erased has a unique number, and the others keep theirs")
  func erased() throws {
    let folder = try TemporaryFolder()
    let before = try UnitHashes(log(["a", "b", "c", "d", "e"], folder))
    _ = try LogRewriter(folder.path("log")).erase(Erasure(units: ["b", "c"]))
    let after = try UnitHashes(LogReader(folder.path("log")))
    #expect([1, 4, 5].allSatisfy { before[$0] == after[$0] })
    #expect(after[2] == 2 && after[3] == 3)
  }
}
