import Statistics
import Testing

/// A function whose error is below half a unit and a little may still fall where it ought to rise, at the seams of its
/// tables above all.
@Suite("Elementary functions are monotonic")
struct ElementaryMonotonicityTests {
  /// The functions with where they are looked at, and whether they rise there.
  private static let cases: [(name: String, seams: [Double], rises: Bool)] = {
    let logSeams = (0..<128).map {
      Double(bitPattern: 0x3FE6_1000_0000_0000 + UInt64($0) << 45)
    }
    let quickSeams = (0..<128).map {
      Double(bitPattern: 0x3FE6_0000_0000_0000 + UInt64($0) << 45)
    }
    let expSeams = (-300...300).map { (Double($0) + 0.5) * 0x1.62e42fefa39efp-8 }
    let errorSeams = (0..<92).map { Double(bitPattern: 0x3FE0_0000_0000_0000 + UInt64($0) << 48) }
    let halves = (-300...300).map { (Double($0) + 0.5) * 0x1p-7 }
    return [
      ("log", quickSeams + quickSeams.map { $0 * 1000 } + [1, 0.9375, 1.0625, 0x1p-1022], true),
      ("log2", logSeams + [1, 4, 1e300], true), ("log10", logSeams + [1, 10, 1e-300], true),
      ("log1p", [0, 0x1p-8, -0x1p-8, 0x1p-54] + logSeams.map { $0 - 1 }, true),
      ("exp", expSeams + [0, 690, -690, -708.3964185322641, -745], true),
      ("expm1", expSeams + [0, 0x1p-4, -0x1p-4, 40, -37.4], true),
      ("exp2", halves + [0, -1022, -1074], true), ("exp10", [0, 0.3, 22, -307.7, 308], true),
      ("sin", [0, 0x1p-27, 0.78539816339744828, 1.5], true),
      ("cos", [0.1, 0.78539816339744828, 1.5707963267948966, 3], false),
      ("asin", [-0.99, -0.5, 0, 0x1p-27, 0.5, 0.99], true),
      ("acos", [-0.99, -0.5, 0, 0.5, 0.99], false),
      ("asinh", [-0.125, 0, 0.125, 1, 0x1p28], true),
      ("erf", [-0.5, 0, 0.5] + errorSeams[..<40], true),
      ("erfc", [-6, -0.5, 0] + errorSeams[..<88], false),
      ("logGamma", [2.125, 2.5, 3, 5, 10, 1e10], true), ("logGamma", [0.125, 0.5, 1, 1.25], false),
    ]
  }()

  @Test("from one Double to the next around every seam", arguments: cases.indices)
  func seams(index: Int) throws {
    let (name, seams, rises) = Self.cases[index]
    let function = try #require(ElementaryFunction.functions.first { $0.name == name })
    for seam in seams {
      var x = seam
      for _ in 0..<20 { x = x.nextDown }
      var previous = function.evaluate(x, 0)
      for _ in 0..<40 {
        x = x.nextUp
        let value = function.evaluate(x, 0)
        #expect(rises ? value >= previous : value <= previous, "\(name) at \(x)")
        previous = value
      }
    }
  }
}
