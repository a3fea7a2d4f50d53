extension BitPacking {
  /// Appends the values, none of which may need more than `width` bits.
  static func pack(_ values: ArraySlice<UInt64>, width: Int, to output: inout [UInt8]) {
    let numbers = values.map { Int64(bitPattern: $0) }
    pack(numbers.span, minus: 0, width: width, to: &output)
  }

  /// Appends the differences of the values to `base`, none of which may need more than `width` bits.
  static func pack(
    _ values: Span<Int64>, minus base: Int64, width: Int, to output: inout [UInt8]
  ) {
    guard width > 0 else { return }
    let blocks = values.count / blockCount
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: blocks * 128 * width))
    // Safety: block `index` reads 1,024 values and writes 128 * width bytes, for both of which the counts of blocks
    // above leave room; the buffers live as long as the closures and do not overlap.
    unsafe output.withUnsafeMutableBytes { target in
      unsafe values.withUnsafeBufferPointer { source in
        guard let to = target.baseAddress, let from = source.baseAddress else { return }
        for index in 0..<blocks {
          unsafe pack(from + index * blockCount, base, width, to: to + start + index * 128 * width)
        }
      }
    }
    packRest(values.extracting((blocks * blockCount)...), base, width, to: &output)
  }

  private static func pack(
    _ values: UnsafePointer<Int64>, _ base: Int64, _ width: Int, to target: UnsafeMutableRawPointer
  ) {
    // Safety: the caller passes 1,024 values and room for 128 * width bytes, which is what each case accesses.
    switch width {
    case ...8: unsafe packBlock(values, base, width, to: target, as: UInt8.self)
    case ...16: unsafe packBlock(values, base, width, to: target, as: UInt16.self)
    case ...32: unsafe packBlock(values, base, width, to: target, as: UInt32.self)
    default: unsafe packBlock(values, base, width, to: target, as: UInt64.self)
    }
  }

  /// Packs one block into zeroed bytes. Every word of one row is shifted by the same amount, so the inner loops have
  /// no branches and are vectorized.
  @inline(__always)
  private static func packBlock<Word: FixedWidthInteger & UnsignedInteger>(
    _ values: UnsafePointer<Int64>, _ base: Int64, _ width: Int,
    to target: UnsafeMutableRawPointer, as type: Word.Type
  ) {
    let bits = Word.bitWidth
    let lanes = blockCount / bits
    for row in 0..<bits {
      let word = row * width / bits
      let shift = Word(row * width % bits)
      // Safety: word < width, and word + 1 < width whenever a value straddles two words.
      let from = unsafe values + row * lanes
      let low = unsafe target + word * lanes * (bits / 8)
      for lane in 0..<lanes {
        let value = Word(truncatingIfNeeded: unsafe from[lane] &- base) &<< shift
        let before = unsafe low.loadUnaligned(fromByteOffset: lane * (bits / 8), as: Word.self)
        unsafe low.storeBytes(
          of: before | value.littleEndian, toByteOffset: lane * (bits / 8), as: Word.self)
      }
      guard Int(shift) + width > bits else { continue }
      let high = unsafe low + lanes * (bits / 8)
      let down = Word(bits) &- shift
      for lane in 0..<lanes {
        let value = Word(truncatingIfNeeded: unsafe from[lane] &- base) &>> down
        let before = unsafe high.loadUnaligned(fromByteOffset: lane * (bits / 8), as: Word.self)
        unsafe high.storeBytes(
          of: before | value.littleEndian, toByteOffset: lane * (bits / 8), as: Word.self)
      }
    }
  }

  private static func packRest(
    _ values: Span<Int64>, _ base: Int64, _ width: Int, to output: inout [UInt8]
  ) {
    var pending: UInt64 = 0
    var pendingBits = 0
    for index in values.indices {
      let value = UInt64(bitPattern: values[index] &- base)
      pending |= value &<< UInt64(pendingBits)
      let used = min(width, 64 - pendingBits)
      pendingBits += used
      guard pendingBits == 64 else { continue }
      output.appendLittleEndian(pending)
      pending = used == 64 ? 0 : value &>> UInt64(used)
      pendingBits = width - used
    }
    while pendingBits > 0 {
      output.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }
}
