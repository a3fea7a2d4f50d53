/// A lossless stream of 64-bit floating-point numbers, in the smallest of four encodings.
///
///     constantNumber    base = the bits of the number; no payload
///     numberDictionary  distinct:u32 0:u32, the bits of each distinct number in order of appearance,
///                       integer stream of indices
///     decimal           width = e; exceptions:u32 0:u32, rows of the exceptions (u32 each, zero
///                       padded to 8), their bits (u64 each), integer stream of m where the number
///                       is m / 10^e, and 0 where it is an exception
///     rawNumber         the bits of each number
///
/// The decimal encoding is after A. Afroozeh, L. Kuffo and P. Boncz, "ALP: Adaptive Lossless floating-Point
/// Compression", 2023, doi:10.1145/3626717, with one exponent for the whole stream. It is used for a number only if
/// the division restores the same bits, so nothing depends on rounding.
enum NumberStream {
  static let largestExponent = 15

  /// Appends the smallest stream that holds the numbers.
  static func write(_ numbers: [Double], to output: inout [UInt8]) {
    let first = numbers.first?.bitPattern ?? 0
    if numbers.allSatisfy({ $0.bitPattern == first }) {
      StreamHeader(
        encoding: .constantNumber, count: numbers.count, base: Int64(bitPattern: first)
      ).write(to: &output)
      return
    }
    var candidates: [[UInt8]] = []
    if let bytes = dictionary(numbers) { candidates.append(bytes) }
    if let bytes = decimal(numbers) { candidates.append(bytes) }
    let rawCost = StreamHeader.byteCount + numbers.count * 8
    if let best = candidates.min(by: { $0.count < $1.count }), best.count < rawCost {
      output.append(contentsOf: best)
    } else {
      StreamHeader(encoding: .rawNumber, count: numbers.count).write(to: &output)
      for number in numbers { output.appendLittleEndian(number.bitPattern) }
    }
  }

  /// Encodes the numbers as a dictionary.
  ///
  /// - Returns: nil if there are too many distinct numbers for a dictionary to be smaller.
  private static func dictionary(_ numbers: [Double]) -> [UInt8]? {
    let limit = max(2, min(numbers.count / 4, 1 << 14))
    var distinct = DistinctNumbers()
    var indices: [Int64] = []
    indices.reserveCapacity(numbers.count)
    var last: (bits: UInt64, index: Int) = (0, -1)
    for number in numbers {
      let bits = number.bitPattern
      if last.index < 0 || bits != last.bits {
        last = (bits, distinct.index(of: bits))
        guard distinct.bits.count <= limit else { return nil }
      }
      indices.append(Int64(last.index))
    }
    var output: [UInt8] = []
    StreamHeader(encoding: .numberDictionary, count: numbers.count).write(to: &output)
    output.appendLittleEndian(UInt32(distinct.bits.count))
    output.appendLittleEndian(0 as UInt32)
    for bits in distinct.bits { output.appendLittleEndian(bits) }
    IntegerStream.write(indices, patching: false, to: &output)
    return output
  }

  /// Encodes the numbers as decimals.
  ///
  /// - Returns: nil if more than one number in eight is not a short decimal.
  private static func decimal(_ numbers: [Double]) -> [UInt8]? {
    guard let exponent = bestExponent(for: numbers) else { return nil }
    var scaled: [Int64] = []
    var exceptions: [Int] = []
    scaled.reserveCapacity(numbers.count)
    for (row, number) in numbers.enumerated() {
      if let mantissa = mantissa(of: number, exponent: exponent) {
        scaled.append(mantissa)
      } else {
        scaled.append(0)
        exceptions.append(row)
      }
    }
    guard exceptions.count * 8 <= numbers.count else { return nil }
    var output: [UInt8] = []
    StreamHeader(
      encoding: .decimal, width: UInt8(exponent), count: numbers.count
    ).write(to: &output)
    output.appendLittleEndian(UInt32(exceptions.count))
    output.appendLittleEndian(0 as UInt32)
    for row in exceptions { output.appendLittleEndian(UInt32(row)) }
    output.pad(to: 8)
    for row in exceptions { output.appendLittleEndian(numbers[row].bitPattern) }
    IntegerStream.write(scaled, to: &output)
    return output
  }

  /// Returns the smallest of the exponents that turn the most numbers of a sample into integers.
  private static func bestExponent(for numbers: [Double]) -> Int? {
    let step = max(1, numbers.count / 256)
    let sample = stride(from: 0, to: numbers.count, by: step).map { numbers[$0] }
    var best: (exponent: Int, hits: Int) = (0, 0)
    for exponent in 0...largestExponent {
      let hits = sample.reduce(into: 0) {
        if mantissa(of: $1, exponent: exponent) != nil { $0 += 1 }
      }
      if hits > best.hits { best = (exponent, hits) }
      if hits == sample.count { break }
    }
    return best.hits * 4 >= sample.count * 3 ? best.exponent : nil
  }

  /// Returns the integer m with m / 10^exponent == number, bit for bit.
  private static func mantissa(of number: Double, exponent: Int) -> Int64? {
    let product = number * powersOfTen[exponent]
    // The nearest integer without a call: if this one restores the number, rounding does so too, and no other can,
    // because the quotients of integers below 2^51 differ.
    if product.magnitude < 0x1p51 {
      let near = Int64(product < 0 ? product - 0.5 : product + 0.5)
      let back = Double(near) / powersOfTen[exponent]
      if back.bitPattern == number.bitPattern { return near }
    }
    let scaled = product.rounded()
    guard scaled.magnitude <= 0x1p53 else { return nil }
    let mantissa = Int64(scaled)
    let back = Double(mantissa) / powersOfTen[exponent]
    return back.bitPattern == number.bitPattern ? mantissa : nil
  }

  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
