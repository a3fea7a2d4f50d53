import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// Solves Ax = b by Gaussian elimination with pivots.
func solve(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
  var (a, b) = (matrix, vector)
  let n = b.count
  for column in 0..<n {
    let pivot = (column..<n).max { abs(a[$0][column]) < abs(a[$1][column]) } ?? column
    a.swapAt(column, pivot)
    b.swapAt(column, pivot)
    for row in column + 1..<max(column + 1, n) {
      let factor = a[row][column] / a[column][column]
      for k in column..<n { a[row][k] -= factor * a[column][k] }
      b[row] -= factor * b[column]
    }
  }
  for row in stride(from: n - 1, through: 0, by: -1) {
    for k in row + 1..<max(row + 1, n) { b[row] -= a[row][k] * b[k] }
    b[row] /= a[row][row]
  }
  return b
}

func inner(_ x: [Double], _ y: [Double]) -> Double { zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } }

/// A ridge regression by its definition.
struct NaiveRidge {
  var a: [[Double]]
  var b: [Double]

  init(_ d: Int, ridge: Double = 1) {
    a = (0..<d).map { i in (0..<d).map { $0 == i ? ridge : 0 } }
    b = [Double](repeating: 0, count: d)
  }

  mutating func learn(_ x: [Double], _ reward: Double, weight: Double = 1) {
    for i in x.indices {
      for j in x.indices { a[i][j] += weight * x[i] * x[j] }
      b[i] += weight * reward * x[i]
    }
  }

  var theta: [Double] { solve(a, b) }
  func spread(_ x: [Double]) -> Double { inner(x, solve(a, x)) }
}

/// Textbook Cholesky: L with LLᵀ = A.
func choleskyLower(_ a: [[Double]]) -> [[Double]] {
  let n = a.count
  var l = a.map { $0.map { _ in 0.0 } }
  for i in 0..<n {
    for j in 0...i {
      let rest = a[i][j] - (0..<j).reduce(0) { $0 + l[i][$1] * l[j][$1] }
      l[i][j] = i == j ? sqrt(rest) : rest / l[j][j]
    }
  }
  return l
}

/// A kind of context.
struct Shape: Sendable, CustomTestStringConvertible {
  var shared: Int
  var own: Int
  var models = "auto"
  var hasIntercept = false

  var testDescription: String { "\(shared) shared, \(own) own, \(text)" }
  var text: String { "models=\(models),intercept=\(hasIntercept ? "yes" : "no")" }
  var isOne: Bool { models == "one" || (models == "auto" && own > 0) }

  static let all = [
    Shape(shared: 3, own: 0), Shape(shared: 0, own: 4), Shape(shared: 2, own: 3, models: "each"),
    Shape(shared: 2, own: 2, models: "one", hasIntercept: true),
    Shape(shared: 1, own: 0, hasIntercept: true),
  ]

  func problem(_ variants: Int) -> Problem {
    Problem(
      variants: variants, horizon: 1000, sharedFeatures: shared, variantFeatures: own,
      rewards: 0...1)
  }

  func context(_ variants: Int, _ random: inout SeededGenerator) -> Context {
    Context(
      shared: (0..<shared).map { _ in Double.random(in: -1...1, using: &random) },
      variants: (0..<own * variants).map { _ in Double.random(in: -1...1, using: &random) })
  }

  /// What describes a variant.
  func x(_ context: Context, _ variant: Int) -> [Double] {
    context.shared + context.variants[variant * own..<(variant + 1) * own]
      + (hasIntercept ? [1] : [])
  }

  var dimension: Int { shared + own + (hasIntercept ? 1 : 0) }
}

/// Mean rewards that are linear in the context, which is drawn anew at each step.
struct LinearWorld: Environment {
  static let info = SpecificationInfo("linear-test", "linear rewards", source: "tests")
  var specification = Self.info.specification()
  var shape = Shape(shared: 3, own: 0)
  var variants = 4
  var delayed = false

  init() {}

  init(_ shape: Shape, variants: Int = 4, delayed: Bool = false) {
    specification = Specification("linear-test\(shape.shared)-\(shape.own)")
    (self.shape, self.variants, self.delayed) = (shape, variants, delayed)
  }

  func problem(horizon: Int) -> Problem {
    var problem = shape.problem(variants)
    problem.horizon = horizon
    return problem
  }

  func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearWorldRun(self, SeededGenerator(seed: key.first)))
  }
}

struct LinearWorldRun: ChangingRun {
  private let world: LinearWorld
  private var random: SeededGenerator
  private var theta: [[Double]] = []
  private(set) var context = Context()
  private var means: [Double] = []

  init(_ world: LinearWorld, _ random: SeededGenerator) {
    self.world = world
    self.random = random
    let shared = Shape(shared: world.shape.shared, own: world.shape.own)
    theta = (0..<world.variants).map { _ in
      (0..<shared.dimension).map { _ in Double.random(in: -0.4...0.4, using: &self.random) }
    }
    for variant in theta.indices {
      theta[variant].replaceSubrange(world.shape.shared..., with: theta[0][world.shape.shared...])
    }
  }

  var variantCount: Int { world.variants }

  mutating func begin(_ step: Int) {
    context = world.shape.context(world.variants, &random)
    let plain = Shape(shared: world.shape.shared, own: world.shape.own)
    means = theta.indices.map {
      min(1, max(0, 0.5 + inner(theta[$0], plain.x(context, $0))))
    }
  }

  func mean(_ variant: Int) -> Double { means[variant] }
  var optimum: Double { means.max() ?? 0 }
  mutating func reward(_ variant: Int) -> Double { random.chance(means[variant]) ? 1 : 0 }
  mutating func delay() -> Int { world.delayed ? random.index(30) : 0 }
}
