import Foundation
import TestSupport
import Testing

@testable import Specifications

@Suite("Decimals for people")
struct NumberTextReadableTests {
  @Test("have six significant digits and every digit before the point", arguments: checked)
  func examples(value: Double, expected: String) {
    #expect(NumberText.readable(value) == expected)
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
      let shown = NumberText.readable(value)
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

  @Test("have as many places as are asked for")
  func places() {
    #expect(NumberText.fixed(12.345, places: 1) == "12.3")
    #expect(NumberText.fixed(-0.05, places: 1) == "-0.1")
    #expect(NumberText.fixed(-0.04, places: 1) == "0.0")
    #expect(NumberText.fixed(7.0625, places: 3) == "7.063")
    #expect(NumberText.fixed(2, places: 0) == "2")
    #expect(NumberText.fixed(.infinity, places: 3) == "inf")
    #expect(NumberText.fixed(1e300, places: 3) == "1e+300")
    #expect(NumberText.fixed(-1.5, places: 2, dropsZeros: true) == "-1.5")
    #expect(NumberText.fixed(0.001, places: 2, dropsZeros: true) == "0")
  }

  @Test("have the places of Foundation's format", arguments: 0..<4)
  func randomPlaces(seed: UInt64) {
    var rng = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let places = Int.random(in: 0...6, using: &rng)
      // No ties, which are rounded half away from zero here and half to even there.
      let number = Double.random(in: -1e6...1e6, using: &rng)
      let naive = String(format: "%.\(places)f", number)
      let shown = NumberText.fixed(number, places: places)
      #expect(shown == naive || Double(naive) == 0, "\(number), seed \(seed)")
      let short = NumberText.fixed(number, places: places, dropsZeros: true)
      #expect(
        Double(short) == Double(shown)
          && (places == 0 || short.last != "0" || short == "0" || !short.contains(".")),
        "\(number), seed \(seed)")
    }
  }

  @Test(
    "have the precision that a share needs",
    arguments: [
      (0.123, "12.30 %"), (0.001, "0.10 %"), (0.000_123_4, "0.012 %"), (-0.5, "-50.00 %"),
      (0, "0 %"), (1e10, "1000000000000 %"), (0.99999, "100.00 %"),
    ] as [(Double, String)])
  func shares(share: Double, text: String) {
    #expect(NumberText.share(share) == text)
  }

  @Test("show amounts at a glance", arguments: scaledAmounts)
  func amounts(amount: Int, count: String, bytes: String) {
    let (counts, sizes) = (["", "k", "M", "G", "T"], [" B", " KiB", " MiB", " GiB", " TiB"])
    #expect(NumberText.scaled(amount, step: 1_000, names: counts) == count)
    #expect(NumberText.scaled(amount, step: 1_024, names: sizes) == bytes)
  }

  private static let scaledAmounts: [(Int, String, String)] = [
    (0, "0", "0 B"), (999, "999", "999 B"), (1_000, "1.0k", "1000 B"), (1_024, "1.0k", "1.0 KiB"),
    (1_999, "1.9k", "1.9 KiB"), (12_345, "12k", "12 KiB"), (999_999, "999k", "976 KiB"),
    (1_048_575, "1.0M", "1023 KiB"), (-2_500_000, "-2.5M", "-2.3 MiB"),
    (.max, "9223372T", "8388607 TiB"), (.min, "-9223372T", "-8388608 TiB"),
  ]
}
