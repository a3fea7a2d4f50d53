/// Numbers as text, the same on every machine: the shortest that parses back to the same number, or rounded for
/// reading.
package enum NumberText {
  /// Appends the shortest decimal that parses back to the same `Double`: `3.99`, `0.1`, `1e-07`, `1e+16`. An integer
  /// below 1e15 in magnitude has no decimal point (`10`, `-3`), and minus zero is `-0.0`.
  ///
  /// The text is a JSON number for every finite value. Infinities and NaN are written as by the standard library
  /// (`inf`, `nan`), which is not valid JSON: the caller must exclude them.
  ///
  /// - Complexity: O(1). Integers and decimals of up to six places cost no allocation.
  package static func append(_ number: Double, to output: inout [UInt8]) {
    if let whole = integer(number) { return append(whole, to: &output) }
    let size = number.magnitude
    if size < 1e9, size >= 1e-4, appendMillionths(number, to: &output) { return }
    output.append(contentsOf: number.description.utf8)
  }

  /// Appends a number as `append(_:to:)` does, except that minus zero is `0`, and that nothing is appended for a number
  /// that is not finite.
  package static func append(cell number: Double, to output: inout [UInt8]) {
    if number.isFinite { append(number == 0 ? 0 : number, to: &output) }
  }

  /// The integer that a number is written as; nil for one with a decimal point or an exponent.
  @inline(__always)
  package static func integer(_ number: Double) -> Int64? {
    let size = number.magnitude
    guard size < 1e15, size > 0 || number.sign == .plus else { return nil }
    let whole = Int64(number)
    return Double(whole) == number ? whole : nil
  }

  /// Appends an integer.
  ///
  /// - Complexity: O(number of digits), without allocation beyond the growth of `output`.
  package static func append(_ integer: Int64, to output: inout [UInt8]) {
    if integer < 0 { output.append(UInt8(ascii: "-")) }
    appendDigits(integer.magnitude, atLeast: 1, to: &output)
  }

  /// Appends the number if it is a decimal of up to six places; otherwise returns false and appends nothing.
  ///
  /// Why this is the shortest: m and 1e6 are exact as Doubles, so m / 1e6 is the Double nearest to the decimal m ·
  /// 10⁻⁶. Up to 15 significant digits different decimals are different Doubles, so no other decimal that short parses
  /// back to the number.
  private static func appendMillionths(_ number: Double, to output: inout [UInt8]) -> Bool {
    let millionths = UInt64(number.magnitude * 1e6 + 0.5)
    guard Double(millionths) / 1e6 == number.magnitude else { return false }
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    if number < 0 { output.append(UInt8(ascii: "-")) }
    appendDigits(whole, atLeast: 1, to: &output)
    output.append(UInt8(ascii: "."))
    var (fraction, places) = (rest, 6)
    while fraction % 10 == 0, places > 1 {
      fraction /= 10
      places -= 1
    }
    appendDigits(fraction, atLeast: places, to: &output)
    return true
  }

  /// Appends the digits of a number, zero-padded to the given count.
  package static func appendDigits(_ number: UInt64, atLeast least: Int, to output: inout [UInt8]) {
    var count = 1
    var bound: UInt64 = 10
    while count < 19, number >= bound {
      bound *= 10
      count += 1
    }
    if number >= bound { count += 1 }
    let start = output.count
    output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(count, least)))
    var rest = number
    var index = output.count
    while rest > 0, index > start {
      index -= 1
      output[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}
