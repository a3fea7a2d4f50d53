internal import Statistics

/// Arithmetic on symmetric matrices stored as their upper triangle, row by row: half the memory, and half the work of a
/// rank-one update. An array may hold several matrices; `start` is the offset of one.
///
/// The rows are 0 ... d − 1, and row i begins with the diagonal: (i, j) with i ≤ j is at i(2d − i − 1)/2 + j.
enum PackedSymmetric {
  /// Returns the number of elements of a matrix of a dimension.
  static func size(_ dimension: Int) -> Int { dimension * (dimension + 1) / 2 }

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
    var place = 0
    for i in x.indices {
      let factor = x[i]
      products[place] = factor * factor
      place &+= 1
      for j in (i + 1)..<max(i + 1, x.count) {
        products[place] = 2 * factor * x[j]
        place &+= 1
      }
    }
  }

  /// Returns Σ aₖbₖ, with four accumulators for instruction-level parallelism.
  @inline(__always)
  static func dot(_ a: [Double], _ start: Int, _ b: [Double], count: Int) -> Double {
    let (left, right) = (a.span.extracting(start..<start &+ count), b.span.extracting(0..<count))
    var (s0, s1, s2, s3) = (0.0, 0.0, 0.0, 0.0)
    var k = 0
    while k &+ 3 < count {
      s0 += left[k] * right[k]
      s1 += left[k &+ 1] * right[k &+ 1]
      s2 += left[k &+ 2] * right[k &+ 2]
      s3 += left[k &+ 3] * right[k &+ 3]
      k &+= 4
    }
    while k < count {
      s0 += left[k] * right[k]
      k &+= 1
    }
    return (s0 + s1) + (s2 + s3)
  }

  /// Multiplies the matrix by a vector.
  @inline(__always)
  static func multiply(_ matrix: [Double], _ start: Int, _ x: [Double], into y: inout [Double]) {
    let d = x.count
    for i in 0..<d { y[i] = 0 }
    var place = start
    for i in 0..<d {
      let factor = x[i]
      var sum = matrix[place] * factor
      place &+= 1
      for j in (i &+ 1)..<max(i &+ 1, d) {
        let value = matrix[place]
        sum += value * x[j]
        y[j] += value * factor
        place &+= 1
      }
      y[i] += sum
    }
  }

  /// Adds factor·xxᵀ.
  @inline(__always)
  static func add(_ factor: Double, _ x: [Double], to matrix: inout [Double], _ start: Int) {
    let d = x.count
    var place = start
    for i in 0..<d {
      let scaled = factor * x[i]
      for j in i..<d {
        matrix[place] += scaled * x[j]
        place &+= 1
      }
    }
  }

  /// Returns the upper triangular U with UᵀU = A; nil if A is not positive definite or not finite.
  ///
  /// Cholesky's method (A.-L. Cholesky), row by row.
  static func factor(_ matrix: [Double], _ start: Int, _ d: Int) -> [Double]? {
    var upper = Array(matrix[start..<start + size(d)])
    var row = 0
    for i in 0..<d {
      let pivot = upper[row]
      guard pivot > 0, pivot.isFinite else { return nil }
      let root = pivot.squareRoot()
      for j in 0..<(d - i) { upper[row + j] /= root }
      upper[row] = root
      // Subtracts the outer product of this row from the rest.
      var below = row + d - i
      for k in 1..<max(1, d - i) {
        let factor = upper[row + k]
        for j in k..<(d - i) {
          upper[below] -= factor * upper[row + j]
          below += 1
        }
      }
      row += d - i
    }
    return upper
  }

  /// Solves Ux = y in place: with y standard normal, x has the covariance A⁻¹.
  static func solveUpper(_ upper: [Double], _ y: inout [Double]) {
    let d = y.count
    var row = size(d)
    for i in stride(from: d - 1, through: 0, by: -1) {
      row -= d - i
      var rest = y[i]
      for j in (i + 1)..<max(i + 1, d) { rest -= upper[row + j - i] * y[j] }
      y[i] = rest / upper[row]
    }
  }

  /// Solves Uᵀx = y in place.
  static func solveLower(_ upper: [Double], _ y: inout [Double]) {
    let d = y.count
    var row = 0
    for i in 0..<d {
      y[i] /= upper[row]
      for j in (i + 1)..<max(i + 1, d) { y[j] -= upper[row + j - i] * y[i] }
      row += d - i
    }
  }

  /// Overwrites a matrix with A⁻¹, from the factor of A.
  static func invert(_ upper: [Double], _ d: Int, into inverse: inout [Double], _ start: Int) {
    var place = start
    for i in 0..<d {
      var column = [Double](repeating: 0, count: d)
      column[i] = 1
      solveLower(upper, &column)
      solveUpper(upper, &column)
      for j in i..<d {
        inverse[place] = column[j]
        place += 1
      }
    }
  }
}
