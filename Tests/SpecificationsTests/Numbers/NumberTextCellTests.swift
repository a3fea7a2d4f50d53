import TestSupport
import Testing

@testable import Specifications

@Suite("Numbers of cells")
struct NumberTextCellTests {
  private func written(_ value: Double) -> String {
    var bytes: [UInt8] = []
    NumberText.append(cell: value, to: &bytes)
    return text(bytes)
  }

  @Test("are as short as can be, whole numbers below 1e15 without .0", arguments: checked)
  func examples(value: Double, expected: String) {
    #expect(written(value) == expected)
  }

  private static let checked: [(Double, String)] = [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-7, "-7"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
    (999_999_999_999_999, "999999999999999"), (-999_999_999_999_999, "-999999999999999"),
    (1e15, "1000000000000000.0"), (1e16, "1e+16"), (1e-7, "1e-07"), (1e300, "1e+300"),
    (.nan, ""), (.infinity, ""),
  ]

  @Test("read back as the same number and are never longer than Swift's own text")
  func roundTrip() {
    var rng = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let value = hostileDecimal(&rng)
      guard value.isFinite else { continue }
      #expect(Double(written(value)) == value, "seed 5")
      #expect(written(value).utf8.count <= value.description.utf8.count, "seed 5")
    }
  }
}
