/// The numbers 1/√n, from a table for small n: the root and the division would be most of the work of a step.
enum InverseRoots {
  private static let table = (0..<16_384).map { 1 / Double($0).squareRoot() }

  /// Returns 1/√n.
  @inline(__always)
  static func of(_ n: Int) -> Double {
    UInt(bitPattern: n) < UInt(bitPattern: table.count)
      ? table[n] : 1 / SquareRoot.of(Double(n))
  }
}
