import TestSupport
import Testing

@testable import Prediction

struct CodeMapTests {
  @Test("values by codes are those of a dictionary", arguments: 1...200 as ClosedRange<UInt64>)
  func dictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Codes that differ in the lowest bits, in the highest ones, or in any.
    let shift = UInt64(random.index(3) * 28)
    let most = 1 + random.index(seed % 2 == 0 ? 12 : 400)
    var map = CodeMap<Int>()
    var expected: [UInt64: Int] = [:]
    for step in 0..<500 {
      let code = UInt64(random.index(most)) << shift &* (seed % 5 == 0 ? 0x9e37_79b9_7f4a_7c15 : 1)
      #expect(map.number(of: code).map { map.values[$0] } == expected[code])
      map.change(code, orAdd: 7) { $0 += step }
      expected[code, default: 7] += step
    }
    #expect(map.sorted.map(\.code) == expected.keys.sorted())
    #expect(map.sorted.map(\.value) == expected.sorted { $0.key < $1.key }.map(\.value))
  }

  @Test("maps are equal whatever the order in which codes appeared")
  func order() {
    var (rising, falling) = (CodeMap<Int>(), CodeMap<Int>())
    for code in 0..<20 as Range<UInt64> {
      rising.change(code, orAdd: 1) { $0 += Int(code) }
      falling.change(19 - code, orAdd: 1) { $0 += Int(19 - code) }
    }
    #expect(rising == falling)
    falling.change(3, orAdd: 1) { $0 += 1 }
    #expect(rising != falling)
    rising.change(20, orAdd: 1) { _ in }
    #expect(rising != falling)
  }
}
