import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("Limited-memory BFGS")
struct LimitedMemoryTests {
  private func maximize(
    _ dimension: Int, _ function: ([Double]) -> (Double, [Double])
  ) -> (point: [Double], steps: Int) {
    var search = LimitedMemory(dimension, tolerance: 1e-10)
    var steps = 0
    while steps < 1000 {
      let (value, gradient) = function(search.point)
      steps += 1
      guard search.advance(value: value, gradient: gradient) else { break }
    }
    search.stop()
    return (search.point, steps)
  }

  @Test("it finds the maximum of a badly scaled quadratic function")
  func quadratic() {
    let scales = (0..<20).map { Double(1 + $0 * $0) }
    let (point, steps) = maximize(20) { x in
      let rest = x.enumerated().map { $1 - Double($0) }
      let value = zip(rest, scales).reduce(0) { $0 - $1.0 * $1.0 * $1.1 / 2 }
      return (value, zip(rest, scales).map { -$0 * $1 })
    }
    for place in point.indices { #expect(abs(point[place] - Double(place)) < 1e-9) }
    #expect(steps < 150)
  }

  @Test("it follows the curved valley of H. H. Rosenbrock's function (1960)")
  func rosenbrock() {
    let (point, steps) = maximize(2) { x in
      let (a, b) = (1 - x[0], x[1] - x[0] * x[0])
      return (-(a * a + 100 * b * b), [2 * a + 400 * x[0] * b, -200 * b])
    }
    #expect(abs(point[0] - 1) < 1e-8 && abs(point[1] - 1) < 1e-8)
    #expect(steps < 100)
  }

  @Test("it stops where the function is flat or not a number")
  func degenerate() {
    #expect(maximize(3) { _ in (1, [0, 0, 0]) } == ([0, 0, 0], 1))
    #expect(maximize(1) { x in x[0] == 0 ? (0, [1]) : (.nan, [.nan]) }.point == [0])
    #expect(maximize(1) { _ in (.nan, [.nan]) }.point == [0])
  }
}
