import Specifications
import TestSupport
import Testing

@Suite("Numbers as text")
struct NumberTextTests {
  private func text(_ number: Double) -> String {
    var output: [UInt8] = []
    NumberText.append(number, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func text(_ integer: Int64) -> String {
    var output: [UInt8] = []
    NumberText.append(integer, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// The rule in three lines: the description, without ".0" below 1e15.
  private func naive(_ number: Double) -> String {
    let text = number.description
    let isShort = number.magnitude < 1e15 && !(number == 0 && number.sign == .minus)
    return isShort && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  @Test(
    "is the shortest form",
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (10, "10"), (-3, "-3"), (3.99, "3.99"), (0.1, "0.1"),
      (-0.5, "-0.5"), (1e-4, "0.0001"), (1e-7, "1e-07"), (999_999_999_999_999, "999999999999999"),
      (1e15, "1000000000000000.0"), (1e16, "1e+16"), (0.30000000000000004, "0.30000000000000004"),
      (.leastNonzeroMagnitude, "5e-324"), (1.000001, "1.000001"),
      (999_999_999.999999, "999999999.999999"),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
    ] as [(Double, String)])
  func examples(number: Double, expected: String) {
    #expect(text(number) == expected)
  }

  @Test("matches the standard library, and parses back to the same number", arguments: 0..<8)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      var number = finiteNumber(&generator)
      // Neighbours of short decimals are the ones that a shortcut would get wrong.
      if Int.random(in: 0..<5, using: &generator) == 0 { number = number.nextUp }
      if Int.random(in: 0..<5, using: &generator) == 0 { number = number.nextDown }
      guard number.isFinite else { continue }
      #expect(text(number) == naive(number), "seed \(seed)")
      #expect(Double(text(number))?.bitPattern == number.bitPattern, "seed \(seed): \(number)")
    }
  }

  @Test("of decimals of every length and size matches the standard library")
  func shortDecimals() {
    var generator = SeededGenerator(seed: 5)
    for places in 0...9 {
      for size in 1...15 {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let bound = (0..<size).reduce(1) { bound, _ in bound * 10 }
        for _ in 0..<300 {
          let number = Double(Int.random(in: 0..<bound, using: &generator)) / scale
          #expect(text(number) == naive(number))
          #expect(text(-number) == naive(-number))
        }
      }
    }
  }

  @Test("of integers is their digits", arguments: 0..<4)
  func integers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for integer in [0, 1, -1, 9, 10, 99, 100, .max, .min, .max - 1, .min + 1] as [Int64] {
      #expect(text(integer) == "\(integer)")
    }
    for _ in 0..<5_000 {
      let integer =
        Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
      #expect(text(integer) == "\(integer)", "seed \(seed)")
    }
  }
}
