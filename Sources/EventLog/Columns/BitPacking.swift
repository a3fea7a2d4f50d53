/// Bit packing of unsigned numbers with the width of the largest of them.
///
///     packed   = block* rest
///     block    = 1,024 values of `width` bits, transposed: 128 * width bytes
///     rest     = the last 0...1,023 values, one after the other, lowest bit first,
///                ceil(count * width / 8) bytes
///
/// A block is made of lanes of the narrowest word W in {8, 16, 32, 64} with W >= width. It has 1024 / W lanes of W
/// values each; value number `row * (1024 / W) + lane` is number `row` of its lane. Each lane is a stream of W * width
/// bits, lowest bit first, cut into `width` words; word k of all lanes is stored together. A plain loop over lanes
/// therefore unpacks them all at once with the same shift, and the compiler vectorizes it (after D. Lemire and L.
/// Boytsov, "Decoding billions of integers per second through vectorization", 2015, arXiv:1209.2137, and A. Afroozeh
/// and P. Boncz, "The FastLanes Compression Layout", 2023, doi:10.14778/3598581.3598587).
enum BitPacking {
  static let blockCount = 1_024

  /// Returns the number of bits that a number needs: 0 for 0.
  static func width(of value: UInt64) -> Int {
    64 - value.leadingZeroBitCount
  }

  /// Returns the number of bytes that `count` packed values take.
  static func byteCount(count: Int, width: Int) -> Int {
    let blocks = count / blockCount
    return blocks * 128 * width + ((count % blockCount) * width + 7) / 8
  }

  // MARK: Unpacking

  /// Unpacks as many values as `output` holds and adds `base` to each, wrapping around.
  ///
  /// - Throws: ``ColumnError`` if `bytes` does not have exactly the length of that many values.
  static func unpack<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, width: Int, base: Value, into output: inout [Value],
    from start: Int,
    count: Int
  ) throws(ColumnError) {
    guard (0...64).contains(width) else { throw ColumnError("width \(width) is not in 0...64") }
    guard bytes.count == byteCount(count: count, width: width) else {
      throw ColumnError("\(count) values of \(width) bits do not take \(bytes.count) bytes")
    }
    guard start >= 0, count >= 0, start + count <= output.count else {
      throw ColumnError("more values than rows")
    }
    // Safety: the three checks above bound every access below. Blocks read 128 * width bytes and
    // write 1,024 values each; the rest reads ceil(rest * width / 8) bytes and writes `rest` values.
    unsafe bytes.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        let target = unsafe UnsafeMutableBufferPointer(rebasing: target[start..<start + count])
        unsafe unpack(source, width, base, into: target)
      }
    }
  }

  private static func unpack<Value: FixedWidthInteger>(
    _ source: UnsafeRawBufferPointer, _ width: Int, _ base: Value,
    into target: UnsafeMutableBufferPointer<Value>
  ) {
    // Safety: the caller checked that the source has exactly the bytes of as many values as the target holds.
    guard width > 0, let from = source.baseAddress, let to = target.baseAddress else {
      unsafe target.update(repeating: base)
      return
    }
    let blocks = target.count / blockCount
    for block in 0..<blocks {
      // Safety: block < blocks, so both regions lie within the buffers.
      let words = unsafe from + block * 128 * width
      let values = unsafe to + block * blockCount
      switch width {
      case ...8: unsafe unpackBlock(words, width, base, into: values, as: UInt8.self)
      case ...16: unsafe unpackBlock(words, width, base, into: values, as: UInt16.self)
      case ...32: unsafe unpackBlock(words, width, base, into: values, as: UInt32.self)
      default: unsafe unpackBlock(words, width, base, into: values, as: UInt64.self)
      }
    }
    let done = blocks * blockCount
    // Safety: the whole blocks end within both buffers, so both rests begin within them.
    let rest = unsafe UnsafeRawBufferPointer(rebasing: source[(blocks * 128 * width)...])
    unsafe unpackRest(
      rest, width, base, into: UnsafeMutableBufferPointer(rebasing: target[done...]))
  }

  /// Unpacks one block. Every word of one row is shifted by the same amount, so the inner loop has no branches and is
  /// vectorized.
  @inline(__always)
  private static func unpackBlock<
    Word: FixedWidthInteger & UnsignedInteger, Value: FixedWidthInteger
  >(
    _ words: UnsafeRawPointer, _ width: Int, _ base: Value,
    into values: UnsafeMutablePointer<Value>,
    as type: Word.Type
  ) {
    let bits = Word.bitWidth
    let lanes = blockCount / bits
    let mask = width == bits ? Word.max : (1 &<< Word(width)) &- 1
    for row in 0..<bits {
      let word = row * width / bits
      let shift = Word(row * width % bits)
      // Safety: word < width, and word + 1 < width whenever a value straddles two words.
      let low = unsafe words + word * lanes * (bits / 8)
      let out = unsafe values + row * lanes
      if Int(shift) + width <= bits {
        for lane in 0..<lanes {
          let a = unsafe low.loadUnaligned(fromByteOffset: lane * (bits / 8), as: Word.self)
          let value = (Word(littleEndian: a) &>> shift) & mask
          unsafe out[lane] = base &+ Value(truncatingIfNeeded: value)
        }
      } else {
        let high = unsafe low + lanes * (bits / 8)
        let up = Word(bits) &- shift
        for lane in 0..<lanes {
          let a = unsafe low.loadUnaligned(fromByteOffset: lane * (bits / 8), as: Word.self)
          let b = unsafe high.loadUnaligned(fromByteOffset: lane * (bits / 8), as: Word.self)
          let both = (Word(littleEndian: a) &>> shift) | (Word(littleEndian: b) &<< up)
          unsafe out[lane] = base &+ Value(truncatingIfNeeded: both & mask)
        }
      }
    }
  }

  private static func unpackRest<Value: FixedWidthInteger>(
    _ source: UnsafeRawBufferPointer, _ width: Int, _ base: Value,
    into target: UnsafeMutableBufferPointer<Value>
  ) {
    let mask = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
    // If nine bytes are left, a value is within them, whatever its width.
    let roomy = source.count >= 9 ? min(target.count, ((source.count - 9) * 8 + 7) / width + 1) : 0
    for index in 0..<roomy {
      let bit = index &* width
      let shift = UInt64(bit & 7)
      // Safety: bit / 8 + 9 <= source.count, and index < target.count.
      let word = unsafe source.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      let last = unsafe UInt64(source[bit &>> 3 &+ 8])
      let value = UInt64(littleEndian: word) &>> shift | (last &<< 1) &<< (63 &- shift)
      unsafe target[index] = base &+ Value(truncatingIfNeeded: value & mask)
    }
    for index in roomy..<target.count {
      let bit = index * width
      var value: UInt64 = 0
      var have = -(bit % 8)
      var byte = bit / 8
      while have < width {
        // Safety: byte <= (bit + width - 1) / 8, which the caller checked to be in the source.
        let part = unsafe UInt64(source[byte])
        value |= have >= 0 ? part << UInt64(have) : part >> UInt64(-have)
        have += 8
        byte += 1
      }
      // Safety: index < target.count.
      unsafe target[index] = base &+ Value(truncatingIfNeeded: value & mask)
    }
  }
}
