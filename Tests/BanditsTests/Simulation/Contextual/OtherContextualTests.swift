import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Other contextual policies")
struct OtherContextualTests {
  @Test(
    "Cover's policies are trained one after the other to disagree", arguments: Shape.all)
  func cover(shape: Shape) throws {
    for seed in 0..<4 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 2 + random.index(3)
      let isRobust = random.chance(0.5)
      var state = try state(
        Cover.self,
        "cover:policies=3,psi=0.5,estimate=\(isRobust ? "dr" : "ips"),\(shape.text)",
        shape.problem(k))
      func fresh() -> [NaiveRidge] {
        (0..<(shape.isOne ? 1 : k)).map { _ in NaiveRidge(shape.dimension) }
      }
      func model(_ v: Int) -> Int { shape.isOne ? 0 : v }
      var policies = [fresh(), fresh(), fresh()]
      var rewards = fresh()
      func favourite(_ policy: [NaiveRidge], _ context: Context) -> Int {
        let scores = (0..<k).map { inner(policy[model($0)].theta, shape.x(context, $0)) }
        // Ties but for rounding are for the first one, as where nothing was learned yet.
        return scores.firstIndex { $0 >= (scores.max() ?? 0) - 1e-10 } ?? 0
      }
      var words = Xoshiro256(seed: seed)
      for step in 0..<40 {
        let epsilon = min(1 / Double(k), 1 / sqrt(Double(k * (step + 1))))
        let context = shape.context(k, &random)
        let choice = state.choose(context, &words)
        let v = choice.variant
        let part = Double(policies.count { favourite($0, context) == v }) / 3
        let share = epsilon + (1 - Double(k) * epsilon) * part
        #expect(abs(choice.propensity - share) < 1e-12, "seed \(seed) step \(step)")
        let reward = random.chance(0.5) ? 1.0 : 0
        state.learn(choice, reward, context)
        var estimates = (0..<k).map { a in
          isRobust ? inner(rewards[model(a)].theta, shape.x(context, a)) : 0
        }
        estimates[v] += (reward - estimates[v]) / choice.propensity
        rewards[model(v)].learn(shape.x(context, v), reward)
        var taken = [Double](repeating: 0, count: k)
        for i in 0..<3 {
          for a in 0..<k {
            let q = i == 0 ? 0 : taken[a] / Double(i)
            let extra = i == 0 ? 0 : 0.5 * epsilon / (epsilon + (1 - Double(k) * epsilon) * q)
            policies[i][model(a)].learn(shape.x(context, a), estimates[a] + extra)
          }
          taken[favourite(policies[i], context)] += 1
        }
      }
    }
  }

  @Test("the k nearest neighbors among the stored decisions are found")
  func nearest() throws {
    let shape = Shape(shared: 2, own: 0)
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 1 + random.index(6)
      var state = try state(
        KNearest.self, "k-nearest:k=\(k),alpha=0.8,unseen=0.1,capacity=30", shape.problem(3))
      var kept: [(x: [Double], variant: Int, reward: Double)] = []
      var words = Xoshiro256(seed: seed)
      for step in 0..<100 {
        let context = shape.context(3, &random)
        let choice = state.choose(context, &words)
        if step >= 3 {
          let near = kept.sorted {
            hypot($0.x[0] - context.shared[0], $0.x[1] - context.shared[1])
              < hypot($1.x[0] - context.shared[0], $1.x[1] - context.shared[1])
          }.prefix(k)
          let indices = (0..<3).map { v -> Double in
            let own = near.filter { $0.variant == v }.map(\.reward)
            if own.isEmpty { return 0.1 }
            return own.plainMean + 0.8 * sqrt(2 * log(Double(near.count)) / Double(own.count))
          }
          #expect(indices[choice.variant] >= (indices.max() ?? 0) - 1e-12, "seed \(seed) \(step)")
        }
        let reward = Double.random(in: 0...1, using: &random)
        state.learn(choice, reward, context)
        kept.append((context.shared, choice.variant, reward))
        if kept.count > 30 { kept.removeFirst() }
      }
    }
  }

  @Test("the tree splits where the squared error falls the most, if enough")
  func cuts() {
    for seed in 0..<16 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var leaf = TreeLeaf(variants: 2, nextTry: 50)
      let effect = random.chance(0.5) ? 0.8 : 0.3
      let n = 40 + random.index(30)
      for _ in 0..<n {
        let x = [Double(random.index(8)), Double.random(in: 0...1, using: &random)]
        let v = random.index(2)
        let reward = random.chance(x[1] < 0.4 && v == 0 ? effect : 0.1) ? 1.0 : 0
        leaf.add(x, v, reward, capacity: 100)
      }
      func error(_ chosen: [Int]) -> Double {
        (0..<2).reduce(0) { sum, v in
          let own = chosen.filter { leaf.variants[$0] == v }.map { leaf.rewards[$0] }
          return own.isEmpty ? sum : sum + own.reduce(0) { $0 + pow($1 - own.plainMean, 2) }
        }
      }
      var best = 0.0
      let all = Array(0..<n)
      for feature in 0..<2 {
        let values = Set(all.map { leaf.contexts[$0 * 2 + feature] }).sorted()
        for value in values.dropLast() {
          let low = all.filter { leaf.contexts[$0 * 2 + feature] <= value }
          let high = all.filter { leaf.contexts[$0 * 2 + feature] > value }
          guard min(low.count, high.count) >= n / 10 else { continue }
          let added = (0..<2).count { v in
            low.contains { leaf.variants[$0] == v } && high.contains { leaf.variants[$0] == v }
          }
          let left = max(error(low) + error(high), 1e-12 * error(all))
          let worth = Double(n) * log(error(all) / left) - log(Double(n)) * Double(added + 1)
          best = max(best, worth)
          if let cut = leaf.bestCut(dimension: 2), cut.feature == feature,
            low.allSatisfy({ leaf.contexts[$0 * 2 + feature] <= cut.threshold }),
            high.allSatisfy({ leaf.contexts[$0 * 2 + feature] > cut.threshold })
          {
            #expect(worth > 0, "seed \(seed)")
          }
        }
      }
      if best > 1e-6 || best == 0 {
        #expect((leaf.bestCut(dimension: 2) != nil) == (best > 0), "seed \(seed)")
      }
    }
  }

  @Test("the tree learns the best variant for each region of contexts")
  func tree() throws {
    let shape = Shape(shared: 2, own: 0)
    var state = try state(PartitionTree.self, "tree:alpha=0.3", shape.problem(2))
    var random = SeededGenerator(seed: 9)
    var words = Xoshiro256(seed: 9)
    var right = 0
    for step in 0..<3000 {
      let context = shape.context(2, &random)
      let best = context.shared[1] < 0.2 ? 0 : 1
      let choice = state.choose(context, &words)
      if step >= 2000, choice.variant == best { right += 1 }
      state.learn(choice, random.chance(choice.variant == best ? 0.8 : 0.2) ? 1 : 0, context)
    }
    #expect(right > 900)
    #expect(state.leaves.count > 1 && state.leaves.count <= 64)
    #expect(state.leaves.reduce(0) { $0 + $1.total } == 3000)
  }

  static let policies = [
    "linear-epsilon-greedy", "linucb", "linucb-hybrid", "lints", "logistic-thompson",
    "logistic-thompson:covariance=full", "squarecb", "regcb", "regcb:mode=elimination", "cover",
    "cover:estimate=ips", "k-nearest", "tree",
  ]

  @Test(
    "every contextual policy does better than chance where rewards are linear", arguments: policies)
  func learns(policy: String) throws {
    let shape = policy == "linucb-hybrid" ? Shape(shared: 2, own: 2) : Shape(shared: 3, own: 0)
    func regret(_ policy: String) throws -> Double {
      let simulation = Simulation(
        LinearWorld(shape), try Policies.named(policy), RunRules(horizon: 700), seed: 1)
      return mean(try (0..<4).map { try simulation.run($0) }) { $0.points.last?.regret ?? .nan }
        .mean
    }
    let share = try regret(policy) / regret("uniform")
    let isSlow = ["k-nearest", "tree", "cover", "cover:estimate=ips"].contains(policy)
    #expect(share < (isSlow ? 0.95 : 0.75), "\(policy) \(share)")
  }

  @Test("with delayed rewards the same seed gives the same runs", arguments: policies)
  func late(policy: String) throws {
    let shape = policy == "linucb-hybrid" ? Shape(shared: 2, own: 2) : Shape(shared: 2, own: 0)
    let world = LinearWorld(shape, variants: 3, delayed: true)
    for batch in [1, 11] {
      let simulation = Simulation(
        world, try Policies.named(policy), RunRules(horizon: 150, batch: batch), seed: 2)
      #expect(try simulation.run(0) == simulation.run(0))
      #expect(try simulation.run(0).choices.reduce(0, +) == 150)
    }
    let one = Simulation(
      LinearWorld(shape, variants: 1), try Policies.named(policy), RunRules(horizon: 1), seed: 2)
    #expect(try one.run(0).choices == [1])
  }

  @Test(
    "missing or NaN contexts and huge rewards are harmless", arguments: policies)
  func hostile(policy: String) throws {
    for shape in [Shape(shared: 2, own: 2), Shape(shared: 3, own: 2)] {
      var state = try Policies.named(policy).makeState(shape.problem(3))
      var random = SeededGenerator(seed: 4)
      var words = Xoshiro256(seed: 4)
      let odd: [Double] = [.nan, .infinity, -1e308, 1e200, 0, 1, 1e-308, -.infinity]
      for step in 0..<120 {
        let context = Context(
          shared: (0..<random.index(5)).map { _ in odd[random.index(8)] },
          variants: (0..<random.index(9)).map { _ in odd[random.index(8)] })
        let choice = state.choose(context, &words)
        #expect((0..<3).contains(choice.variant))
        let p = choice.propensity
        #expect(p.isNaN || (p > 0 && p <= 1 + 1e-12), "\(policy) \(step)")
        state.learn(choice, [1e300, -1e300, 1, 0][random.index(4)], context)
      }
    }
  }

  @Test(
    "unavailable variants are not chosen",
    arguments: policies.filter { !$0.hasPrefix("cover") })
  func absent(policy: String) throws {
    let shape = Shape(shared: 2, own: 2)
    let prepared = try Policies.named(policy)
    #expect(prepared.supportsUnavailableVariants)
    var state = try prepared.makeState(shape.problem(4))
    var random = SeededGenerator(seed: 8)
    var words = Xoshiro256(seed: 8)
    for step in 0..<80 {
      let only = random.index(4)
      let available = (0..<4).map { $0 == only || random.chance(0.4) }
      state.offer(available)
      let context = shape.context(4, &random)
      let choice = state.choose(context, &words)
      #expect(available[choice.variant], "step \(step)")
      let isOnly = available.count { $0 } == 1
      if isOnly, !choice.propensity.isNaN { #expect(abs(choice.propensity - 1) < 1e-12) }
      state.learn(choice, random.chance(0.5) ? 1 : 0, context)
    }
  }

  @Test(
    "propensities are the frequencies, and add up to 1",
    arguments: [
      "linear-epsilon-greedy:epsilon=0.3", "squarecb:scale=2", "cover", "linucb", "k-nearest",
      "regcb:mode=elimination", "tree",
    ])
  func propensities(policy: String) throws {
    let shape = Shape(shared: 2, own: 0)
    var state = try Policies.named(policy).makeState(shape.problem(4))
    var random = SeededGenerator(seed: 6)
    var words = Xoshiro256(seed: 6)
    for _ in 0..<25 {
      let context = shape.context(4, &random)
      let choice = state.choose(context, &words)
      state.learn(choice, random.chance(0.4) ? 1 : 0, context)
    }
    for _ in 0..<4 {
      let context = shape.context(4, &random)
      var counts = [0, 0, 0, 0]
      var shares = [0.0, 0, 0, 0]
      for _ in 0..<2000 {
        var copy = state
        let choice = copy.choose(context, &words)
        if counts[choice.variant] > 0 { #expect(shares[choice.variant] == choice.propensity) }
        shares[choice.variant] = choice.propensity
        counts[choice.variant] += 1
      }
      #expect(abs(shares.reduce(0, +) - 1) < 1e-9, "\(policy)")
      for (count, share) in zip(counts, shares) {
        let deviation = sqrt(2000 * share * (1 - share))
        #expect(abs(Double(count) - 2000 * share) <= 5 * deviation + 1e-6, "\(policy)")
      }
      let choice = state.choose(context, &words)
      state.learn(choice, random.chance(0.4) ? 1 : 0, context)
    }
  }

  @Test("the listed defaults are used when parameters are omitted")
  func standards() throws {
    let shape = Shape(shared: 2, own: 2)
    for info in Policies.all where ["contextual", "best arm"].contains(info.family) {
      let written = info.parameters.compactMap { parameter in
        parameter.standard.map { "\(parameter.key)=\($0)" }
      }.joined(separator: ",")
      guard !written.isEmpty else { continue }
      var random = SeededGenerator(seed: 2)
      var (words, same) = (Xoshiro256(seed: 2), Xoshiro256(seed: 2))
      var state = try Policies.named(info.name).makeState(shape.problem(3))
      var twin = try Policies.named("\(info.name):\(written)").makeState(shape.problem(3))
      for _ in 0..<60 {
        let context = shape.context(3, &random)
        let (choice, other) = (state.choose(context, &words), twin.choose(context, &same))
        #expect(choice.variant == other.variant, "\(written)")
        #expect("\(choice.propensity)" == "\(other.propensity)", "\(written)")
        let reward = random.chance(0.4) ? 1.0 : 0
        state.learn(choice, reward, context)
        twin.learn(other, reward, context)
      }
    }
  }

  @Test("policies are rejected without the features that they need")
  func refused() {
    let cases = [
      ("linucb-hybrid", Shape(shared: 2, own: 0)), ("k-nearest", Shape(shared: 0, own: 2)),
      ("tree", Shape(shared: 0, own: 2)), ("linucb:models=one", Shape(shared: 2, own: 0)),
      ("linucb", Shape(shared: 0, own: 0)), ("linucb", Shape(shared: 5000, own: 0)),
      ("cover:models=one", Shape(shared: 2, own: 0)),
      ("linucb-hybrid:interactions=yes", Shape(shared: 1000, own: 1000)),
    ]
    #expect(throws: SpecificationError.self) {
      try Policies.named("lints").makeState(Shape(shared: 1900, own: 0).problem(100))
    }
    for (policy, shape) in cases {
      #expect(throws: SpecificationError.self, "\(policy)") {
        try Policies.named(policy).makeState(shape.problem(3))
      }
    }
    for text in ["linucb:models=two", "linucb:intercept=1", "cover:policies=0", "lints:v=-1"] {
      #expect(throws: SpecificationError.self) { try Policies.named(text) }
    }
  }
}
