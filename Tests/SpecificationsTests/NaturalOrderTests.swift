import Specifications
import TestSupport
import Testing

@Suite("The natural order of names")
struct NaturalOrderTests {
  @Test("takes runs of digits by their value")
  func numbers() {
    let ordered = ["", "1", "02", "2", "10", "a", "A1", "a1", "a2", "a10", "a10b2", "a10b11", "b"]
    for (index, name) in ordered.enumerated() {
      for other in ordered[..<index] {
        #expect(NaturalOrder.precedes(other, name), "\(other) before \(name)")
        #expect(!NaturalOrder.precedes(name, other), "\(name) before \(other)")
      }
      #expect(NaturalOrder.compare(name, name) == 0)
    }
    #expect(NaturalOrder.precedes("v99999999999999999999998", "v99999999999999999999999"))
  }

  @Test("is total: no two texts are equal, and it can be sorted by")
  func total() {
    let pieces = ["a", "A", "0", "1", "01", "10", "é", "-", ""]
    let all = pieces.flatMap { a in pieces.flatMap { b in pieces.map { a + b + $0 } } }
    let names = Set(all).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let sorted = names.sorted(by: NaturalOrder.precedes)
    for (a, b) in zip(sorted, sorted.dropFirst()) {
      #expect(NaturalOrder.compare(a, b) == -1 && NaturalOrder.compare(b, a) == 1)
    }
    var rng = SeededGenerator(seed: 1)
    #expect(names.shuffled(using: &rng).sorted(by: NaturalOrder.precedes) == sorted)
  }
}
