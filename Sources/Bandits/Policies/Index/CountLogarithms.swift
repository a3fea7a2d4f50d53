internal import Statistics

/// The natural logarithms of counts, from a table for small ones: a logarithm would be much of the work of a step.
struct CountLogarithms: Sendable {
  private static let table = (0..<16_384).map { Double.log(Double($0)) }

  private let table = Self.table

  @inline(__always)
  subscript(_ count: Int) -> Double {
    UInt(bitPattern: count) < UInt(bitPattern: table.count)
      ? table[count] : Double.log(Double(count))
  }
}
