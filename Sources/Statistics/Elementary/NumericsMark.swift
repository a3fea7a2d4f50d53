internal import Specifications

/// A fingerprint of how this build on this machine computes: a hash of the bits that the elementary functions and the
/// basic operations return at fixed points.
///
/// The functions of this library are made of IEEE 754 operations that are rounded once, so the mark should be
/// ``expected`` everywhere. It differs where a function changes between versions, or where a compiler or processor
/// fuses a multiplication with an addition that the source keeps apart. Results made under different marks may differ
/// in their last bits and must not be merged; partial results and the outcomes of simulations carry the mark.
///
/// The mark covers every elementary function with 256 arguments over its range, and addition, multiplication, division,
/// root, remainder and fused multiply-add with 256 random pairs or triples, computed at run time.
package struct NumericsMark: Sendable, Hashable, LosslessStringConvertible {
  /// The hash.
  package let hash: UInt64

  /// The mark of this build on this machine, computed once.
  package static let current = NumericsMark(NumericsSample.results())

  /// The mark of this version wherever the rules of IEEE 754 are kept.
  package static let expected = NumericsMark(hash: 0x2B4E_ABD5_DC05_5478)

  /// The hash as 16 hexadecimal digits, such as `0123456789abcdef`.
  package var description: String { hash.hexadecimal }

  /// Creates a mark with a hash, such as one that was read from a file.
  package init(hash: UInt64) {
    self.hash = hash
  }

  /// Parses a mark; nil if the text is not its ``description``.
  package init?(_ description: String) {
    guard let hash = UInt64(description, radix: 16) else { return nil }
    self.init(hash: hash)
    guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
  }

  /// Returns the mark of results, in order: a hash of their bits, in which all NaNs are one.
  ///
  /// - Complexity: O(n).
  init(_ results: some Sequence<Double>) {
    var key = StreamKey(seed: 0x6D61_726B)
    for result in results { key.add(result.isNaN ? Double.nan.bitPattern : result.bitPattern) }
    hash = key.first
  }
}

/// The results from which the mark is computed.
enum NumericsSample {
  /// The elementary functions of one argument, each with the range that its arguments are drawn from.
  static let functions: [(name: String, range: ClosedRange<Double>, function: @Sendable (Double) -> Double)] =
    [
      ("log", 0x1p-40...8, { .log($0) }),
      ("log near 1", 0.9...1.1, { .log($0) }),
      ("log onePlus", -0.75...4, { .log(onePlus: $0) }),
      ("log2", 0x1p-40...64, { .log2($0) }),
      ("log10", 0x1p-40...2000, { .log10($0) }),
      ("exp", -700...700, { .exp($0) }),
      ("exp near 0", -2...2, { .exp($0) }),
      ("expMinusOne", -3...3, { .expMinusOne($0) }),
      ("exp2", -1070...1000, { .exp2($0) }),
      ("exp10", -300...300, { .exp10($0) }),
      ("sin", -400...400, { .sin($0) }),
      ("cos", -1e9...1e9, { .cos($0) }),
      ("asin", -1...1, { .asin($0) }),
      ("acos", -1...1, { .acos($0) }),
      ("asinh", -50...50, { .asinh($0) }),
      ("erf", -6...6, { .erf($0) }),
      ("erfc", -6...27, { .erfc($0) }),
      ("logGamma", 0x1p-40...40, { .logGamma($0) }),
    ]

  /// Operations on three numbers. In the first, a compiler or processor must not fuse the two operations; in the
  /// second, it must.
  static let operations: [(name: String, operation: @Sendable (Double, Double, Double) -> Double)] =
    [
      ("multiply, then add", { $0 * $1 + $2 }),
      ("fused multiply-add", { $2.addingProduct($0, $1) }),
      ("multiply, then subtract", { $0 * $1 - $2 }),
      ("divide", { $0 / $1 - $2 }),
      ("root", { (abs($0) + abs($1)).squareRoot() + $2 }),
      ("remainder", { ($0 * 1000).truncatingRemainder(dividingBy: $1) + $2 }),
      ("pow", { .pow(abs($0), 20 * $1 + $2) }),
    ]

  /// The results of all functions and operations at their points.
  ///
  /// - Complexity: O(1), about 6,400 results.
  static func results() -> [Double] {
    var random = SplitMix64(seed: 20)
    var results: [Double] = []
    for (_, range, function) in functions {
      let width = range.upperBound - range.lowerBound
      for _ in 0..<256 { results.append(function(range.lowerBound + width * fraction(&random))) }
    }
    for (_, operation) in operations {
      for _ in 0..<256 {
        let (a, b, c) = (fraction(&random), fraction(&random), fraction(&random))
        results.append(operation(2 * a - 1, 2 * b - 1, 2 * c - 1))
      }
    }
    return results
  }

  /// Returns a number in 0 ..< 1, a multiple of 2⁻⁵³.
  private static func fraction(_ random: inout SplitMix64) -> Double {
    Double(random.next() &>> 11) * 0x1p-53
  }
}
