import Foundation
import TestSupport
import Testing

@testable import Tables

@Suite("Decimals for people")
struct ReadableDecimalTests {
  @Test("have six significant digits and every digit before the point", arguments: checked)
  func examples(value: Double, expected: String) {
    #expect(ReadableDecimal.text(value) == expected)
  }

  private static let checked: [(Double, String)] = [
    (0.0, "0"), (10, "10"), (1.0 / 3, "0.333333"), (2.0 / 3, "0.666667"), (-2.0 / 3, "-0.666667"),
    (123.456789, "123.457"), (1_234_567.891, "1234568"), (999_999.95, "1000000"),
    (0.999_999_9, "1"), (99_999.95, "100000"), (99_999.96, "100000"), (0.5, "0.5"),
    (0.000_123_456_78, "0.000123457"), (0.000_012_345_678, "1.23457e-05"),
    (9.999_999_9e-5, "0.0001"), (1e-7, "1e-07"), (1.5e-300, "1.5e-300"), (1e15, "1e+15"),
    (123_456_789_012_345.6, "123456789012346"), (999_999_999_999_999.5, "1e+15"),
    (-1.234_567_89e20, "-1.23457e+20"), (100.5, "100.5"), (0.1 + 0.2, "0.3"),
  ]

  @Test("lie within half a unit of the sixth digit, or of the last before the point")
  func closeness() {
    var rng = SeededGenerator(seed: 9)
    for _ in 0..<20_000 {
      let value = hostileDecimal(&rng)
      guard value.isFinite else { continue }
      let shown = ReadableDecimal.text(value)
      guard let read = Double(shown) else {
        Issue.record("\(shown) for \(value), seed 9")
        continue
      }
      let error = (read - value).magnitude
      let unit = value == 0 ? 0 : pow(10, floor(log10(value.magnitude)) - 5)
      #expect(
        error <= 0.5000001 * unit || value.magnitude < 1e-300, "\(shown) for \(value), seed 9")
      #expect(shown.utf8.count <= 16, "\(shown) for \(value), seed 9")
    }
  }
}
