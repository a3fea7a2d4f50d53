/// Arithmetic on symmetric matrices stored as their upper triangle, row by row: half the memory, and half the work of a
/// rank-one update. An array may hold several matrices; `start` is the offset of one.
///
/// The rows are 0 ... d − 1, and row i begins with the diagonal: (i, j) with i ≤ j is at i(2d − i − 1)/2 + j.
package enum PackedSymmetric {
  /// Returns the number of elements of a matrix of a dimension.
  package static func size(_ dimension: Int) -> Int { dimension * (dimension + 1) / 2 }

  /// Returns the given number of multiples of the unit matrix.
  static func units(_ dimension: Int, _ factor: Double, count: Int = 1) -> [Double] {
    var matrices = [Double](repeating: 0, count: count * size(dimension))
    for matrix in 0..<count {
      var place = matrix * size(dimension)
      for row in 0..<dimension {
        matrices[place] = factor
        place += dimension - row
      }
    }
    return matrices
  }

  /// Computes the products xᵢxⱼ in matrix order, off-diagonal ones doubled, so that a quadratic form is a dot product.
  @inline(__always)
  static func products(of x: [Double], into products: inout [Double]) {
    let d = x.count
    precondition(products.count >= size(d), "products of more numbers")
    // Safety: the rows of a matrix of this dimension are within the array, by the line above.
    unsafe x.withUnsafeBufferPointer { x in
      unsafe products.withUnsafeMutableBufferPointer { products in
        var place = 0
        for i in 0..<d {
          let factor = unsafe x[i]
          unsafe products[place] = factor * factor
          let (twice, shift) = (2 * factor, place &- i)
          for j in (i &+ 1)..<max(i &+ 1, d) { unsafe products[shift &+ j] = twice * x[j] }
          place &+= d &- i
        }
      }
    }
  }

  /// Multiplies the matrix by a vector.
  ///
  /// Each sum is in the order of the columns; those of four rows at a time do not wait for each other.
  @inline(__always)
  package static func multiply(_ matrix: [Double], _ start: Int, _ x: [Double], into y: inout [Double]) {
    let d = x.count
    precondition(start >= 0 && matrix.count - start >= size(d) && y.count >= d, "another dimension")
    // Safety: the rows of a matrix of this dimension are within the array, by the line above.
    unsafe matrix.withUnsafeBufferPointer { matrix in
      unsafe x.withUnsafeBufferPointer { x in
        unsafe y.withUnsafeMutableBufferPointer { y in
          unsafe addColumns(matrix, start, x, to: y)
          unsafe addRows(matrix, start, x, to: y)
        }
      }
    }
  }

  /// Sets y to the product with the part below the diagonal, whose columns are the rows above it.
  @inline(__always)
  private static func addColumns(
    _ matrix: UnsafeBufferPointer<Double>, _ start: Int, _ x: UnsafeBufferPointer<Double>,
    to y: UnsafeMutableBufferPointer<Double>
  ) {
    let d = x.count
    // Safety: the caller checked that there is a matrix of this dimension from `start` on, and that y has as many
    // numbers; the place of row i and column j ≥ i is in it.
    for i in 0..<d { unsafe y[i] = 0 }
    var place = start
    for i in 0..<d {
      let (factor, shift) = (unsafe x[i], place &- i)
      for j in (i &+ 1)..<max(i &+ 1, d) { unsafe y[j] += matrix[shift &+ j] * factor }
      place &+= d &- i
    }
  }

  /// Adds the product with the part from the diagonal on.
  @inline(__always)
  private static func addRows(
    _ matrix: UnsafeBufferPointer<Double>, _ start: Int, _ x: UnsafeBufferPointer<Double>,
    to y: UnsafeMutableBufferPointer<Double>
  ) {
    let d = x.count
    var row = 0
    var place = start
    while row &+ 3 < d {
      // Row r begins at its diagonal; `shift` plus a column is the place of an element.
      let shift0 = place &- row
      let shift1 = shift0 &+ (d &- row &- 1)
      let shift2 = shift1 &+ (d &- row &- 2)
      let shift3 = shift2 &+ (d &- row &- 3)
      // Safety: the caller checked that there is a matrix of this dimension from `start` on, and that y has as many
      // numbers; four more rows are there.
      let (x0, x1, x2) = unsafe (x[row], x[row &+ 1], x[row &+ 2])
      var s0 = unsafe matrix[shift0 &+ row] * x0
      s0 += unsafe matrix[shift0 &+ row &+ 1] * x1
      s0 += unsafe matrix[shift0 &+ row &+ 2] * x2
      var s1 = unsafe matrix[shift1 &+ row &+ 1] * x1
      s1 += unsafe matrix[shift1 &+ row &+ 2] * x2
      var s2 = unsafe matrix[shift2 &+ row &+ 2] * x2
      // Safety: as above.
      let x3 = unsafe x[row &+ 3]
      s0 += unsafe matrix[shift0 &+ row &+ 3] * x3
      s1 += unsafe matrix[shift1 &+ row &+ 3] * x3
      s2 += unsafe matrix[shift2 &+ row &+ 3] * x3
      var s3 = unsafe matrix[shift3 &+ row &+ 3] * x3
      for j in (row &+ 4)..<max(row &+ 4, d) {
        // Safety: j is below the dimension.
        let value = unsafe x[j]
        s0 += unsafe matrix[shift0 &+ j] * value
        s1 += unsafe matrix[shift1 &+ j] * value
        s2 += unsafe matrix[shift2 &+ j] * value
        s3 += unsafe matrix[shift3 &+ j] * value
      }
      // Safety: as above.
      unsafe y[row] += s0
      unsafe y[row &+ 1] += s1
      unsafe y[row &+ 2] += s2
      unsafe y[row &+ 3] += s3
      row &+= 4
      place = shift3 &+ d
    }
    while row < d {
      // Safety: as above, for one row.
      var sum = unsafe matrix[place] * x[row]
      let shift = place &- row
      for j in (row &+ 1)..<max(row &+ 1, d) { sum += unsafe matrix[shift &+ j] * x[j] }
      unsafe y[row] += sum
      place &+= d &- row
      row &+= 1
    }
  }

  /// Adds factor·xxᵀ.
  @inline(__always)
  static func add(_ factor: Double, _ x: [Double], to matrix: inout [Double], _ start: Int) {
    let d = x.count
    precondition(start >= 0 && matrix.count - start >= size(d), "another dimension")
    // Safety: the rows of a matrix of this dimension are within the array, by the line above.
    unsafe x.withUnsafeBufferPointer { x in
      unsafe matrix.withUnsafeMutableBufferPointer { matrix in
        var place = start
        for i in 0..<d {
          let (scaled, shift) = (factor * (unsafe x[i]), place &- i)
          for j in i..<d { unsafe matrix[shift &+ j] += scaled * x[j] }
          place &+= d &- i
        }
      }
    }
  }
}
