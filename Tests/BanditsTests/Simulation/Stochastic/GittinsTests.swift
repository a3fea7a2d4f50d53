import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Gittins indices")
struct GittinsTests {
  private static let states = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1)]
  private static let far = [0.86986, 0.70054, 0.91018, 0.78436, 0.56710, 0.92850]

  @Test("with discount 0.9 they match reference values")
  func near() {
    var solver = GittinsIndex(discount: 0.9)
    let expected = [0.70289, 0.50013, 0.80006, 0.63463, 0.37963, 0.84520]
    for ((a, b), value) in zip(Self.states, expected) {
      #expect(abs(solver.index(Double(a), Double(b)) - value) < 6e-6, "\(a), \(b)")
    }
  }

  @Test("with discount 0.99 as well")
  func distant() {
    let isLong = LongTests.areWanted
    var solver = GittinsIndex(discount: 0.99)
    for ((a, b), value) in zip(Self.states, Self.far).prefix(isLong ? 6 : 1) {
      #expect(abs(solver.index(Double(a), Double(b)) - value) < 6e-6, "\(a), \(b)")
    }
  }

  @Test("they agree with bisection over the certain reward", arguments: 0..<20)
  func naive(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let discount = Double.random(in: 0..<0.55, using: &random)
    let a = Double.random(in: 0.2..<5, using: &random)
    let b = Double.random(in: 0.2..<5, using: &random)
    var (low, high) = (0.0, 1.0)
    for _ in 0..<30 {
      let sure = 0.5 * (low + high)
      if Self.worth(a, b, discount, sure, 24, isFirst: true) > sure / (1 - discount) {
        low = sure
      } else {
        high = sure
      }
    }
    var solver = GittinsIndex(discount: discount)
    #expect(abs(solver.index(a, b) - low) < 1e-6, "seed \(seed)")
  }

  /// The best expected discounted reward, when one may go over to the sure one for good from the second step on.
  private static func worth(
    _ a: Double, _ b: Double, _ discount: Double, _ sure: Double, _ depth: Int, isFirst: Bool
  ) -> Double {
    let steps = depth
    var values = (0...steps).map { s in
      max(sure, (a + Double(s)) / (a + b + Double(steps))) / (1 - discount)
    }
    for n in stride(from: steps - 1, through: 0, by: -1) {
      values = (0...n).map { s in
        let p = (a + Double(s)) / (a + b + Double(n))
        let going = p * (1 + discount * values[s + 1]) + (1 - p) * discount * values[s]
        return n == 0 && isFirst ? going : max(sure / (1 - discount), going)
      }
    }
    return values[0]
  }

  @Test("they increase with a success, decrease with a failure, and exceed the mean")
  func order() {
    var solver = GittinsIndex(discount: 0.8)
    for a in 1...6 {
      for b in 1...6 {
        let index = solver.index(Double(a), Double(b))
        #expect(index >= Double(a) / Double(a + b) && index < 1)
        #expect(solver.index(Double(a + 1), Double(b)) > index)
        #expect(solver.index(Double(a), Double(b + 1)) < index)
      }
    }
  }

  @Test("the policy chooses as if all indices were known", arguments: 0..<8)
  func policy(seed: UInt64) throws {
    var data = SeededGenerator(seed: seed)
    let count = 1 + data.index(4)
    let policy = try Gittins(
      Specification(parsing: "gittins:discount=0.7,alpha=1,beta=2"), variants: [])
    var state = policy.makeState(Problem(variants: count, horizon: 150, rewards: 0...1))
    var random = Xoshiro256(seed: seed)
    var solver = GittinsIndex(discount: 0.7)
    var counts = [(a: Double, b: Double)](repeating: (1, 2), count: count)
    for step in 0..<150 {
      let values = counts.map { solver.index($0.a, $0.b) }
      let choice = state.choose(.none, &random)
      #expect(values[choice.variant] == values.max(), "seed \(seed), step \(step)")
      let ties = values.count { $0 == values.max() }
      #expect(choice.propensity == 1 / Double(ties), "seed \(seed), step \(step)")
      let isSuccess = data.chance(0.4 + 0.1 * Double(choice.variant))
      state.learn(choice, isSuccess ? 1 : 0, .none)
      if isSuccess { counts[choice.variant].a += 1 } else { counts[choice.variant].b += 1 }
    }
  }
}
