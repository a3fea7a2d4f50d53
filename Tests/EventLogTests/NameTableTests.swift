import TestSupport
import Testing

@testable import EventLog

@Suite("Tables of names")
struct NameTableTests {
  @Test("names are the same when all their bytes are, wherever they stand", arguments: 0..<200)
  func comparing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let a = (0..<random.index(70)).map { _ in UInt8(random.index(3)) }
      var b = a
      if random.chance(0.5), !b.isEmpty { b[random.index(b.count)] ^= 1 }
      if random.chance(0.1) { b.append(0) }
      let moved = [7] + b + [9]
      let slice = moved[1..<moved.count - 1]
      #expect(NameBytes.areEqual(a.span, slice.span) == (a == b), "seed \(seed), \(a) and \(b)")
      if a == b { #expect(NameBytes.hash(a.span) == NameBytes.hash(slice.span)) }
    }
  }

  @Test("a table gives the codes that a dictionary would", arguments: 0..<50)
  func interning(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = NameTable(firstCode: 2)
    var twin: [[UInt8]: UInt32] = [:]
    for _ in 0..<2_000 {
      let name = Array("n\(random.index(700))".utf8) + (random.chance(0.1) ? [0] : [])
      if random.chance(0.3) { #expect(table.code(of: name[...]) == twin[name]) }
      let code = twin[name] ?? UInt32(twin.count) + 2
      twin[name] = code
      #expect(table.intern(name[...]) == code, "seed \(seed)")
    }
    #expect(table.count == twin.count)
  }
}
