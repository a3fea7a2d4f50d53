extension NumberStream {
  /// Buffers that are reused from stream to stream.
  struct Scratch {
    fileprivate var codes: [UInt32] = []
    fileprivate var short: [Int32] = []
    fileprivate var long: [Int64] = []
    fileprivate var distinct: [Double] = []
  }

  /// Reads a stream of `count` numbers that ends where the bytes end.
  static func read(_ bytes: ArraySlice<UInt8>, count: Int) throws(ColumnError) -> [Double] {
    var scratch = Scratch()
    var numbers: [Double] = []
    try read(bytes, count: count, into: &numbers, &scratch)
    return numbers
  }

  /// Reads a stream of `count` numbers that ends where the bytes end, replacing the contents of an array whose memory
  /// is reused.
  static func read(
    _ bytes: ArraySlice<UInt8>, count: Int, into numbers: inout [Double], _ scratch: inout Scratch
  ) throws(ColumnError) {
    var reader = LittleEndianReader(bytes)
    let header = try StreamHeader.read(&reader, expecting: count)
    switch header.encoding {
    case .constantNumber:
      try reader.requireEnd()
      numbers.refill(Double(bitPattern: UInt64(bitPattern: header.base)), count: count)
    case .numberDictionary:
      try readDictionary(&reader, count: count, into: &scratch.codes, &scratch.distinct)
      numbers.resize(to: count)
      guard ColumnKernels.look(up: scratch.codes, in: scratch.distinct, into: &numbers) else {
        throw ColumnError("a number beyond those of a dictionary of \(scratch.distinct.count)")
      }
    case .decimal:
      try readDecimal(
        &reader, exponent: Int(header.width), count: count, into: &numbers, &scratch)
    case .rawNumber:
      try readBits(&reader, count: count, into: &numbers)
      try reader.requireEnd()
    default: throw ColumnError("\(header.encoding.name) does not hold numbers")
    }
  }

  private static func readBits(
    _ reader: inout LittleEndianReader, count: Int, into numbers: inout [Double]
  ) throws(ColumnError) {
    let bytes = try reader.take(count * 8)
    numbers.resize(to: count)
    // Safety: there are 8 bytes for each of the `count` numbers.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe numbers.withUnsafeMutableBufferPointer { numbers in
        for index in numbers.indices {
          let bits = unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
          unsafe numbers[index] = Double(bitPattern: UInt64(littleEndian: bits))
        }
      }
    }
  }

  /// Reads a dictionary and the indices into it, which may be beyond it.
  private static func readDictionary(
    _ reader: inout LittleEndianReader, count: Int, into indices: inout [UInt32],
    _ distinct: inout [Double]
  ) throws(ColumnError) {
    let distinctCount = Int(try reader.read(UInt32.self))
    guard try reader.read(UInt32.self) == 0 else { throw ColumnError("padding is not zero") }
    try readBits(&reader, count: distinctCount, into: &distinct)
    let rest = try reader.take(reader.remaining)
    try IntegerStream.read(rest, count: count, into: &indices)
  }

  private static func readDecimal(
    _ reader: inout LittleEndianReader, exponent: Int, count: Int, into numbers: inout [Double],
    _ scratch: inout Scratch
  ) throws(ColumnError) {
    guard exponent <= largestExponent else {
      throw ColumnError("exponent \(exponent) is too large")
    }
    let exceptions = Int(try reader.read(UInt32.self))
    guard try reader.read(UInt32.self) == 0 else { throw ColumnError("padding is not zero") }
    var rows = try LittleEndianReader(reader.take(exceptions * 4))
    try reader.align(to: 8)
    var bits = try LittleEndianReader(reader.take(exceptions * 8))
    let rest = try reader.take(reader.remaining)
    // Numbers that fit 32 bits are read as such: vector instructions convert only those to floating point.
    if IntegerStream.fits(rest, Int32.self) {
      try IntegerStream.read(rest, count: count, into: &scratch.short)
      numbers.resize(to: count)
      ColumnKernels.divide(scratch.short, by: powersOfTen[exponent], into: &numbers)
    } else {
      try IntegerStream.read(rest, count: count, into: &scratch.long)
      numbers.resize(to: count)
      ColumnKernels.divide(scratch.long, by: powersOfTen[exponent], into: &numbers)
    }
    for _ in 0..<exceptions {
      let row = Int(try rows.read(UInt32.self))
      guard row < count else { throw ColumnError("an exception at row \(row) of \(count)") }
      numbers[row] = Double(bitPattern: try bits.read(UInt64.self))
    }
  }
}

extension IntegerStream {
  /// Returns whether the header alone guarantees that every value of the stream fits the type. A stream with blocks,
  /// or nested streams, does not.
  static func fits<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, _ type: Value.Type
  ) -> Bool {
    guard bytes.count >= StreamHeader.byteCount else { return false }
    let encoding = ColumnEncoding(rawValue: bytes[bytes.startIndex])
    let width = Int(bytes[bytes.startIndex + 1])
    var base: UInt64 = 0
    for byte in bytes[bytes.startIndex + 8..<bytes.startIndex + 16].reversed() {
      base = base << 8 | UInt64(byte)
    }
    let low = Int64(bitPattern: base)
    switch encoding {
    case .constant: return Value(exactly: low) != nil
    case .packed:
      guard width < 63 else { return false }
      let (high, overflow) = low.addingReportingOverflow((1 << Int64(width)) - 1)
      return !overflow && Value(exactly: low) != nil && Value(exactly: high) != nil
    default: return false
    }
  }
}
