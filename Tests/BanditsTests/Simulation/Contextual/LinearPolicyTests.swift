import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Linear policies")
struct LinearPolicyTests {
  /// Ridge regressions by their definition.
  private struct Twin {
    var shape: Shape
    var models: [NaiveRidge]

    init(_ shape: Shape, _ k: Int, ridge: Double) {
      self.shape = shape
      models = (0..<(shape.isOne ? 1 : k)).map { _ in NaiveRidge(shape.dimension, ridge: ridge) }
    }

    func model(_ variant: Int) -> NaiveRidge { models[shape.isOne ? 0 : variant] }

    mutating func learn(_ context: Context, _ variant: Int, _ reward: Double) {
      models[shape.isOne ? 0 : variant].learn(shape.x(context, variant), reward)
    }

    func means(_ context: Context, _ k: Int) -> [Double] {
      let thetas = models.map(\.theta)
      return (0..<k).map { inner(thetas[shape.isOne ? 0 : $0], shape.x(context, $0)) }
    }

    func roots(_ context: Context, _ k: Int) -> [Double] {
      (0..<k).map { sqrt(model($0).spread(shape.x(context, $0))) }
    }
  }

  /// Plays a policy beside its twin; rewards come in batches now and then.
  private func beside(
    _ policy: String, _ shape: Shape, steps: Int = 60, ridge: Double = 0.5,
    _ check: (Choice, Twin, Context, Int, Int, UInt64, Xoshiro256) -> Void
  ) throws {
    for seed in 0..<8 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 1 + random.index(4)
      let colon = policy.contains(":") ? "," : ":"
      var state = try Policies.named("\(policy)\(colon)lambda=\(ridge),\(shape.text)").makeState(
        shape.problem(k))
      var twin = Twin(shape, k, ridge: ridge)
      var words = Xoshiro256(seed: seed)
      var late: [(Choice, Double, Context)] = []
      var learned = 0
      for _ in 0..<steps {
        let context = shape.context(k, &random)
        let before = words
        let choice = state.choose(context, &words)
        check(choice, twin, context, k, learned, seed, before)
        late.append((choice, Double.random(in: 0...1, using: &random), context))
        if random.chance(0.3) { continue }
        for (choice, reward, context) in late {
          state.learn(choice, reward, context)
          twin.learn(context, choice.variant, reward)
        }
        learned += late.count
        late = []
      }
    }
  }

  @Test("LinUCB chooses the largest bound", arguments: Shape.all)
  func linucb(shape: Shape) throws {
    try beside("linucb:alpha=0.7", shape) { choice, twin, context, k, _, seed, _ in
      let (means, roots) = (twin.means(context, k), twin.roots(context, k))
      let bounds = (0..<k).map { means[$0] + 0.7 * roots[$0] }
      #expect(bounds[choice.variant] >= (bounds.max() ?? 0) - 1e-9, "seed \(seed)")
    }
  }

  @Test(
    "RegCB chooses the largest bound, or any variant that may be the best", arguments: Shape.all)
  func regcb(shape: Shape) throws {
    for mode in ["optimistic", "elimination"] {
      try beside("regcb:mellowness=0.2,mode=\(mode)", shape) {
        choice, twin, context, k, learned, seed, _ in
        let (means, roots) = (twin.means(context, k), twin.roots(context, k))
        let radius = sqrt(0.2 * log(Double(k * (learned + 1))))
        let upper = (0..<k).map { min(1, max(0, means[$0] + radius * roots[$0])) }
        let lower = (0..<k).map { min(1, max(0, means[$0] - radius * roots[$0])) }
        let least = (mode == "optimistic" ? upper.max() : lower.max()) ?? 0
        #expect(upper[choice.variant] >= least - 1e-9, "seed \(seed)")
        let close = upper.contains { abs($0 - least) < 1e-9 && $0 != least }
        let candidates = upper.count { $0 >= least }
        if !close { #expect(choice.propensity == 1 / Double(candidates), "seed \(seed)") }
      }
    }
  }

  @Test("SquareCB weights by the inverse gap", arguments: Shape.all)
  func squarecb(shape: Shape) throws {
    try beside("squarecb:scale=3,exponent=0.4", shape) {
      choice, twin, context, k, learned, seed, _ in
      let means = twin.means(context, k)
      let best = means.max() ?? 0
      let gamma = 3 * pow(Double(learned + 1), 0.4)
      var shares = means.map { 1 / (Double(k) + gamma * (best - $0)) }
      let first = means.firstIndex(of: best) ?? 0
      shares[first] = 1 - shares.indices.filter { $0 != first }.reduce(0) { $0 + shares[$1] }
      #expect(abs(choice.propensity - shares[choice.variant]) < 1e-9, "seed \(seed)")
    }
  }

  @Test("linear ε-greedy chooses the best prediction but for an ε", arguments: Shape.all)
  func greedy(shape: Shape) throws {
    try beside("linear-epsilon-greedy:epsilon=0.2", shape) {
      choice, twin, context, k, learned, seed, _ in
      let means = twin.means(context, k)
      let best = means.max() ?? 0
      let isBest = means[choice.variant] >= best - 1e-12
      let greedy = learned == 0 ? 1 / Double(k) : isBest ? 1 : 0
      // Variants without a reward all have the prediction 0, and may share the best place.
      if means.count(where: { $0 == best }) > 1, learned > 0 { return }
      #expect(abs(choice.propensity - 0.2 / Double(k) - 0.8 * greedy) < 1e-12, "seed \(seed)")
    }
  }

  @Test("LinTS chooses the best under weights drawn from the posterior", arguments: Shape.all)
  func lints(shape: Shape) throws {
    try beside("lints:v=0.3", shape) { choice, twin, context, k, _, seed, words in
      var words = words
      var scores: [Double]
      if shape.isOne {
        let z = (0..<shape.dimension).map { _ in Draw.normal(using: &words) }
        let lower = choleskyLower(twin.models[0].a)
        let upper = z.indices.map { i in z.indices.map { lower[$0][i] } }
        let drawn = zip(twin.models[0].theta, solve(upper, z)).map { $0 + 0.3 * $1 }
        scores = (0..<k).map { inner(drawn, shape.x(context, $0)) }
      } else {
        let (means, roots) = (twin.means(context, k), twin.roots(context, k))
        scores = (0..<k).map { means[$0] + 0.3 * roots[$0] * Draw.normal(using: &words) }
      }
      #expect(scores[choice.variant] >= (scores.max() ?? 0) - 1e-9, "seed \(seed)")
      #expect(choice.propensity.isNaN)
    }
  }

  @Test("MABWiser's numbers for LinUCB are reproduced")
  func mabwiser() throws {
    let history: [[Double]] = [
      [0, 1, 2, 3, 5], [1, 1, 1, 1, 1], [0, 0, 1, 0, 0], [0, 2, 2, 3, 5], [1, 3, 1, 1, 1],
      [0, 0, 0, 0, 0], [0, 1, 4, 3, 5], [0, 1, 2, 4, 5], [1, 2, 1, 1, 3], [0, 2, 1, 0, 0],
    ]
    var state = try state(
      LinUCB.self, "linucb:alpha=0", Problem(variants: 3, horizon: 10, sharedFeatures: 5))
    let decisions = [0, 0, 0, 1, 1, 1, 2, 2, 2, 0]
    let rewards: [Double] = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    for (index, x) in history.enumerated() {
      state.learn(Choice(decisions[index]), rewards[index], Context(shared: x))
    }
    var random = Xoshiro256(seed: 1)
    let known: [[Double]] = [
      [-0.018378378378378413, 0, 0.9966292134831471],
      [0.14054054054054055, 0, 0.43258426966292074],
    ]
    for (x, predictions) in zip(history, known) {
      #expect(state.choose(Context(shared: x), &random).variant == 2)
      for (ours, theirs) in zip(state.beliefs.means, predictions) {
        #expect(abs(ours - theirs) < 1e-12)
      }
    }
  }

  /// Li et al.'s algorithm 2, line by line.
  private struct Hybrid {
    var a0: [[Double]], b0: [Double]
    var a: [[[Double]]], b: [[Double]], cross: [[[Double]]]

    init(_ n: Int, _ d: Int, _ k: Int, ridge: Double) {
      (a0, b0) = (NaiveRidge(k, ridge: ridge).a, NaiveRidge(k).b)
      a = (0..<n).map { _ in NaiveRidge(d, ridge: ridge).a }
      b = (0..<n).map { _ in NaiveRidge(d).b }
      cross = (0..<n).map { _ in (0..<d).map { _ in [Double](repeating: 0, count: k) } }
    }

    func transposed(_ v: Int, _ y: [Double]) -> [Double] {
      b0.indices.map { column in inner(cross[v].map { $0[column] }, y) }
    }

    func bound(_ v: Int, _ x: [Double], _ z: [Double], _ alpha: Double) -> Double {
      let beta = solve(a0, b0)
      let theta = solve(a[v], zip(b[v], cross[v]).map { $0 - inner($1, beta) })
      let ax = solve(a[v], x)
      let bax = transposed(v, ax)
      let spread =
        inner(z, solve(a0, z)) - 2 * inner(z, solve(a0, bax)) + inner(x, ax)
        + inner(bax, solve(a0, bax))
      return inner(z, beta) + inner(x, theta) + alpha * sqrt(spread)
    }

    mutating func shift(_ v: Int, _ sign: Double) {
      // BᵀA⁻¹B column by column, and BᵀA⁻¹b.
      for column in b0.indices {
        let solved = transposed(v, solve(a[v], cross[v].map { $0[column] }))
        for row in b0.indices { a0[row][column] += sign * solved[row] }
      }
      let moment = transposed(v, solve(a[v], b[v]))
      for row in b0.indices { b0[row] += sign * moment[row] }
    }

    mutating func learn(_ v: Int, _ x: [Double], _ z: [Double], _ reward: Double) {
      shift(v, 1)
      for i in x.indices {
        for j in x.indices { a[v][i][j] += x[i] * x[j] }
        for j in z.indices { cross[v][i][j] += x[i] * z[j] }
        b[v][i] += reward * x[i]
      }
      for i in z.indices {
        for j in z.indices { a0[i][j] += z[i] * z[j] }
        b0[i] += reward * z[i]
      }
      shift(v, -1)
    }
  }

  @Test("the hybrid LinUCB is the paper's algorithm 2", arguments: [0, 1, 2, 3])
  func hybrid(kind: Int) throws {
    let (shared, own) = kind == 2 ? (0, 3) : (2, 3)
    let (interactions, intercept) = (kind == 1, kind == 3)
    for seed in 0..<6 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let shape = Shape(shared: shared, own: own)
      let n = 1 + random.index(3)
      var state = try state(
        LinUCBHybrid.self,
        "linucb-hybrid:alpha=0.6,lambda=0.8,interactions=\(interactions ? "yes" : "no"),"
          + "intercept=\(intercept ? "yes" : "no")", shape.problem(n))
      let d = shared == 0 ? own : shared + (intercept ? 1 : 0)
      var twin = Hybrid(n, d, own * (interactions ? 1 + shared : 1), ridge: 0.8)
      var words = Xoshiro256(seed: seed)
      func describe(_ context: Context, _ v: Int) -> (x: [Double], z: [Double]) {
        let row = Array(context.variants[v * own..<(v + 1) * own])
        let x = shared == 0 ? row : context.shared + (intercept ? [1] : [])
        let products = context.shared.flatMap { factor in row.map { factor * $0 } }
        return (x, interactions ? row + products : row)
      }
      for step in 0..<60 {
        let context = shape.context(n, &random)
        let choice = state.choose(context, &words)
        let bounds = (0..<n).map { v in
          let (x, z) = describe(context, v)
          return twin.bound(v, x, z, 0.6)
        }
        #expect(
          bounds[choice.variant] >= (bounds.max() ?? 0) - 1e-8, "seed \(seed) step \(step)")
        let reward = Double.random(in: 0...1, using: &random)
        state.learn(choice, reward, context)
        let (x, z) = describe(context, choice.variant)
        twin.learn(choice.variant, x, z, reward)
      }
    }
  }
}
