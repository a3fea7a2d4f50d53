public import Specifications

extension FixedPointSum: StateField {
  @inlinable
  package mutating func subtract(_ other: FixedPointSum) { steps &-= other.steps }

  @usableFromInline
  package func write(to writer: inout StateWriter) {
    let steps = UInt128(bitPattern: steps)
    writer.write(UInt64(truncatingIfNeeded: steps))
    writer.write(UInt64(truncatingIfNeeded: steps >> 64))
  }

  @usableFromInline
  package mutating func read(from reader: inout StateReader) throws(StateError) {
    let (low, high) = (try reader.read(), try reader.read())
    steps = Int128(bitPattern: UInt128(high) << 64 | UInt128(low))
  }
}
