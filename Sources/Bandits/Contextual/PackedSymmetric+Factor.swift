extension PackedSymmetric {
  /// Returns the upper triangular U with UᵀU = A; nil if A is not positive definite or not finite.
  ///
  /// Cholesky's method (A.-L. Cholesky), row by row.
  package static func factor(_ matrix: [Double], _ start: Int, _ d: Int) -> [Double]? {
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
  package static func solveUpper(_ upper: [Double], _ y: inout [Double]) {
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
  package static func solveLower(_ upper: [Double], _ y: inout [Double]) {
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
