/// The loops over whole columns. Each is a plain loop over buffers whose bounds are checked beforehand, so that the
/// compiler vectorizes it; each is tested against a naive implementation.
enum ColumnKernels {
  /// Returns whether every code is below the limit.
  ///
  /// Codes below 2^31 are compared by the sign of a difference, because the oldest x86-64 processors have no vector
  /// instruction for the maximum of unsigned numbers.
  static func areBelow(_ limit: UInt32, _ codes: [UInt32]) -> Bool {
    guard limit > 0 else { return codes.isEmpty }
    guard limit <= 1 << 31 else { return codes.allSatisfy { $0 < limit } }
    let last = limit - 1
    // Safety: the loop reads the buffer's own elements.
    let signs = unsafe codes.withUnsafeBufferPointer { codes in
      var signs: UInt32 = 0
      for index in codes.indices {
        let code = unsafe codes[index]
        signs |= (last &- code) | code
      }
      return signs
    }
    return signs < 1 << 31
  }

  /// Returns all ones if both are equal, else 0. Kinds come in an unpredictable order, so a branch on them would cost
  /// more than all the rest.
  @inline(__always)
  static func mask(_ kind: UInt8, _ wanted: UInt8) -> UInt32 {
    0 &- ((UInt32(kind ^ wanted) &- 1) &>> 31)
  }

  /// Writes a byte for each row of a range: the lowest bits of its code, or 0 if it is of another kind.
  ///
  /// - Returns: The bitwise or of all codes, which shows whether every one fits a byte.
  static func narrow(
    _ codes: [UInt32], _ kinds: [UInt8], _ wanted: UInt8, _ range: Range<Int>,
    into bytes: inout [UInt8]
  ) -> UInt32 {
    let rows = 0..<codes.count
    guard rows.contains(range.lowerBound), range.upperBound <= rows.upperBound,
      kinds.count == codes.count, bytes.count >= range.count
    else { return .max }
    // Safety: the range lies within both columns, and there are at least as many bytes as rows in it.
    return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe codes.withUnsafeBufferPointer { codes in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          var bits: UInt32 = 0
          for index in 0..<range.count {
            let row = range.lowerBound &+ index
            let code = unsafe codes[row]
            bits |= code
            let isWanted: UInt8 = unsafe kinds[row] == wanted ? 0xFF : 0
            unsafe bytes[index] = UInt8(truncatingIfNeeded: code) & isWanted
          }
          return bits
        }
      }
    }
  }

  /// Replaces differences by their prefix sums: each becomes the sum of the value before and itself, wrapping around,
  /// and the one at `start` becomes `first`.
  static func sum<Value: FixedWidthInteger>(
    _ values: inout [Value], from start: Int, count: Int, first: Value
  ) {
    guard start >= 0, count > 0, count <= values.count - start else { return }
    // Safety: start + 1 ..< start + count lies within the array.
    unsafe values.withUnsafeMutableBufferPointer { values in
      var value = first
      unsafe values[start] = first
      for index in start + 1..<start + count {
        value &+= unsafe values[index]
        unsafe values[index] = value
      }
    }
  }

  /// Replaces differences by values: each set row becomes the sum of the value before and the next of the differences,
  /// which are at the end of the array, wrapping around; other rows repeat the value before, and those before the
  /// first set row are `first`.
  static func sum<Value: FixedWidthInteger>(
    _ values: inout [Value], moving rows: Bitmap, first: Value
  ) {
    guard values.count == rows.count else { return }
    // Safety: `row` is below the count, and so is the smaller of `next` and the last row. No difference is overwritten
    // before it is read: the remaining ones are at the end, and at least as many rows remain.
    unsafe values.withUnsafeMutableBufferPointer { values in
      let last = values.count - 1
      var (value, next) = (first, values.count - rows.setCount)
      for row in values.indices {
        let bit = rows.words[row &>> 6] &>> UInt64(row & 63) & 1
        // A branch on whether a row is set would be mispredicted too often.
        let difference = unsafe values[min(next, last)]
        value &+= difference & (0 &- Value(truncatingIfNeeded: bit))
        next &+= Int(bit)
        unsafe values[row] = value
      }
    }
  }

  /// Assigns the dense values to the set rows in order; there must be one for each.
  static func spread<Value>(_ dense: [Value], to rows: Bitmap, into values: inout [Value]) {
    guard dense.count == rows.setCount, values.count == rows.count else { return }
    // Safety: a bitmap has no bit set at or past its count, which is the count of the values, and has as
    // many set as there are dense values.
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe dense.withUnsafeBufferPointer { dense in
        var next = 0
        rows.forEachSet { row in
          unsafe values[row] = unsafe dense[next]
          next += 1
        }
      }
    }
  }

  /// Sets each element of `numbers` to the entry of the table with its code.
  ///
  /// - Returns: Whether every code is within the table; if not, nothing is changed.
  static func look(up codes: [UInt32], in table: [Double], into numbers: inout [Double]) -> Bool {
    guard codes.count == numbers.count, let limit = UInt32(exactly: table.count),
      areBelow(limit, codes)
    else { return false }
    // Safety: all codes are below the table's count, and both other buffers have the same count.
    unsafe numbers.withUnsafeMutableBufferPointer { numbers in
      unsafe codes.withUnsafeBufferPointer { codes in
        unsafe table.withUnsafeBufferPointer { table in
          for index in numbers.indices {
            unsafe numbers[index] = unsafe table[Int(codes[index])]
          }
        }
      }
    }
    return true
  }

  /// Sets each element of `numbers` to an integer divided by the divisor.
  static func divide<Value: FixedWidthInteger>(
    _ scaled: [Value], by divisor: Double, into numbers: inout [Double]
  ) {
    guard scaled.count == numbers.count else { return }
    // Safety: both buffers have the same count.
    unsafe numbers.withUnsafeMutableBufferPointer { numbers in
      unsafe scaled.withUnsafeBufferPointer { scaled in
        for index in numbers.indices {
          unsafe numbers[index] = unsafe Double(scaled[index]) / divisor
        }
      }
    }
  }
}
