import Testing

@testable import Bandits

@Suite("Gauss rules with integrals up to every node")
struct GaussRuleTests {
  @Test("powers of x are integrated exactly, in total and up to every node")
  func powers() {
    for degree in 0...15 {
      let rule = GaussRules.fine
      var values = SIMD16<Double>()
      for lane in 0..<16 { values[lane] = power(rule.nodes[lane], degree) }
      let next = degree + 1
      let whole = (1 - power(-1, next)) / Double(next)
      #expect(abs(rule.integral(values) - whole) < 1e-14)
      let sums = rule.integralsAbove(values)
      for lane in 0..<16 {
        let above = (1 - power(rule.nodes[lane], next)) / Double(next)
        #expect(abs(sums[lane] - above) < 1e-13, "x^\(degree) above node \(lane)")
      }
    }
  }

  @Test("the nodes of eight are those of Abramowitz and Stegun, table 25.4")
  func nodes() {
    let rule = GaussRules.coarse
    let expected = [
      (0.960289856497536, 0.101228536290376), (0.796666477413627, 0.222381034453374),
      (0.525532409916329, 0.313706645877887), (0.183434642495650, 0.362683783378362),
    ]
    for (index, (node, weight)) in expected.enumerated() {
      #expect(abs(rule.nodes[index] - node) < 1e-15 && abs(rule.nodes[7 - index] + node) < 1e-15)
      #expect(abs(rule.weights[index] - weight) < 1e-15)
    }
  }

  @Test("powers of vectors are products")
  func raised() {
    let vector = SIMD8<Double>(0, 0.5, 1, -1, 2, 3, 0.1, 10)
    #expect(vector.raised(to: 0) == SIMD8(repeating: 1))
    #expect(vector.raised(to: 1) == vector)
    #expect(vector.raised(to: 5) == vector * vector * (vector * vector) * vector)
  }
}
