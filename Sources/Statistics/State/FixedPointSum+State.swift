package import Specifications

extension FixedPointSum {
  /// Writes the sum.
  package func write(to writer: inout StateWriter) {
    let steps = UInt128(bitPattern: steps)
    writer.write(UInt64(truncatingIfNeeded: steps))
    writer.write(UInt64(truncatingIfNeeded: steps >> 64))
  }

  /// Reads a sum.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  package init(from reader: inout StateReader) throws(StateError) {
    let (low, high) = (try reader.read(), try reader.read())
    self.init(steps: Int128(bitPattern: UInt128(high) << 64 | UInt128(low)))
  }
}
