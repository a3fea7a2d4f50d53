/// The text of bytes in UTF-8.
package func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A number that has broken the formatting of numbers before, or a random one.
public func hostileDecimal(_ rng: inout SeededGenerator) -> Double {
  switch Int.random(in: 0..<6, using: &rng) {
  case 0: Double(bitPattern: rng.next())
  case 1: Double.random(in: 0...1, using: &rng)
  case 2: Double(Int.random(in: -2_000_000_000_000_000...2_000_000_000_000_000, using: &rng))
  case 3: Double(Int.random(in: -99_999...99_999, using: &rng)) / 1_000
  case 4:
    [0, -0.0, 1e15, 999_999_999_999_999, 1e16, 1e-5, .pi, .infinity, .nan, .leastNonzeroMagnitude]
      .randomElement(using: &rng) ?? 0
  default: Double.random(in: -1e9...1e9, using: &rng)
  }
}

/// A number of every size that decimals, rounding and JSON treat differently; finite.
package func finiteNumber(_ generator: inout SeededGenerator) -> Double {
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: finite(bits: generator.next())
  case 1: Double(Int.random(in: -1000...1000, using: &generator)) / 100
  case 2: Double(Int64.random(in: -(1 << 53)...(1 << 53), using: &generator))
  case 3: Double.random(in: 0...1, using: &generator)
  case 4: Double(Int.random(in: 0...9_999_999, using: &generator)) / 1e6
  default:
    [
      0, -0.0, 1e15, 1e15 - 1, -1e15, 9_007_199_254_740_992, 9_007_199_254_740_994, 1e16, 1e22,
      1e23,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude, 0.1, 0.3, 1e-4, 9.999999e-5, 5e-7, 123_456_789.123456,
    ].randomElement(using: &generator) ?? 0
  }
}

private func finite(bits: UInt64) -> Double {
  let number = Double(bitPattern: bits)
  return number.isFinite ? number : Double(bits)
}
