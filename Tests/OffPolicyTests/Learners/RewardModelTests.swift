import Specifications
import TestSupport
import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("Reward models")
struct RewardModelTests {
  @Test("tabular is the mean of a slot and variant with a prior")
  func tabular() throws {
    let row = RewardRow(slot: 1, variant: 2, reward: 3)
    let rows = [row, RewardRow(slot: 1, variant: 2, reward: 1, weight: 2)].map {
      ModelRows.Row(row: $0, features: FeatureVector(), unit: 0)
    }
    let model = try ModelRows.fit(TabularRewards { $0.priorSum = 1 }, rows)
    #expect(model.reward(of: 2, in: 1, FeatureVector()) == 6.0 / 253)
    #expect(model.reward(of: 1, in: 1, FeatureVector()) == 1.0 / 250)
    #expect(model.reward(of: 3, in: 1, FeatureVector()) == 1.0 / 250)
    #expect(model.reward(of: 0, in: 2, FeatureVector()) == 1.0 / 250)
    let plain = try ModelRows.fit(TabularRewards { ($0.priorSum, $0.priorCount) = (0, 0) }, rows)
    #expect(plain.reward(of: 2, in: 1, FeatureVector()) == 5.0 / 3)
    #expect(plain.reward(of: 0, in: 0, FeatureVector()) == 0)
  }

  @Test("without a prior, tabular has one of the scale of the slot's rewards")
  func scaledPrior() throws {
    let rows = [(0, 0, 300.0), (0, 0, 100), (0, 1, 500), (1, 1, -4)].map { slot, variant, reward in
      ModelRows.Row(
        row: RewardRow(slot: slot, variant: variant, reward: reward), features: FeatureVector(),
        unit: 0)
    }
    let model = try ModelRows.fit(TabularRewards(), rows)
    // The slot's mean is 300.
    #expect(model.reward(of: 0, in: 0, FeatureVector()) == 700.0 / 3)
    #expect(model.reward(of: 1, in: 0, FeatureVector()) == 400)
    #expect(model.reward(of: 2, in: 0, FeatureVector()) == 300)
    #expect(model.reward(of: 0, in: 1, FeatureVector()) == -4)
    #expect(model.reward(of: 0, in: 7, FeatureVector()) == 224)
    let strong = try ModelRows.fit(TabularRewards { $0.priorCount = 3 }, rows)
    #expect(strong.reward(of: 1, in: 0, FeatureVector()) == 350)
    let note = try TabularRewards { $0.priorCount = 3 }.note
    #expect(note.hasPrefix("tabular:prior-count=3: (sum of rewards + 3 * m) / (decisions + 3)"))
    #expect(
      try TabularRewards { ($0.priorSum, $0.priorCount) = (1, 250) }.note
        == "tabular:prior-sum=1,prior-count=250"
    )
  }

  @Test("tabular learns rewards above 1e100; the other models refuse them")
  func hugeRewards() throws {
    let rows = [1e120, 3e120].map {
      ModelRows.Row(
        row: RewardRow(slot: 0, variant: 0, reward: $0), features: FeatureVector([(0, 1)]), unit: 0)
    }
    let huge = try ModelRows.fit(TabularRewards(), rows).reward(of: 0, in: 0, FeatureVector())
    #expect(abs(huge / 2e120 - 1) < 1e-12)
    for name in ["linear", "logistic", "stumps"] {
      #expect {
        try ModelRows.fit(RewardModelCatalog.standard.named(name), rows)
      } throws: {
        "\($0)".contains("cannot learn from a reward or weight of 3e+120")
      }
    }
  }

  @Test("linear solves the normal equations", arguments: 1...20 as ClosedRange<UInt64>)
  func linear(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(1 + random.index(100), &random).rows
    let lambda = random.pick([0.01, 1, 30], or: 1)
    let fitted = ModelRows.predictions(
      try ModelRows.fit(LinearRewards { $0.lambda = lambda }, rows), rows)
    let weights = NaiveFits.ridge(rows, lambda)
    for (row, value) in zip(rows, fitted) {
      let expected = zip(ModelRows.dense(row), weights).map(*).reduce(0, +)
      #expect(abs(value - expected) < 1e-11, "seed \(seed)")
    }
  }

  @Test("rows of weight 1 are learned like weighted ones", arguments: 1...5 as ClosedRange<UInt64>)
  func ones(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(60, &random, weighted: false).rows
    let weights = NaiveFits.ridge(rows, 1)
    let fitted = ModelRows.predictions(try ModelRows.fit(LinearRewards(), rows), rows)
    for (row, value) in zip(rows, fitted) {
      let expected = zip(ModelRows.dense(row), weights).map(*).reduce(0, +)
      #expect(abs(value - expected) < 1e-11, "seed \(seed)")
    }
    // 3 times weight 1 is once weight 3.
    let tripled = rows.map { row in
      var row = row
      row.row.weight = 3
      return row
    }
    let repeated = ModelRows.predictions(
      try ModelRows.fit(LinearRewards(), rows + rows + rows), rows)
    let weighted = ModelRows.predictions(try ModelRows.fit(LinearRewards(), tripled), rows)
    for (a, b) in zip(repeated, weighted) { #expect(abs(a - b) < 1e-12, "seed \(seed)") }
  }

  @Test(
    "equal rows at once are learned like one by one",
    arguments: ["tabular", "linear", "stumps:rounds=3"], 1...100 as ClosedRange<UInt64>)
  func alike(name: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = try RewardModelCatalog.standard.named(name)
    let rows = ModelRows(1 + random.index(20), &random).rows
    let times = rows.map { _ in random.index(5) }
    let folds = 1 + random.index(3)
    var (single, atOnce) = try (
      CrossFitting(model, ModelRows.problem, folds: folds),
      CrossFitting(model, ModelRows.problem, folds: folds)
    )
    var hasMore = true
    while hasMore {
      for (row, count) in zip(rows, times) {
        for _ in 0..<count { single.add(row.row, row.features, unit: row.unit) }
        atOnce.add(row.row, row.features, unit: row.unit, times: count)
      }
      hasMore = try single.finishPass()
      #expect(try atOnce.finishPass() == hasMore)
    }
    for (one, other) in zip(try single.models().models, try atOnce.models().models) {
      #expect(ModelRows.predictions(one, rows) == ModelRows.predictions(other, rows))
    }
  }

  @Test("linear finds a line, whatever the scale of its columns")
  func line() throws {
    let rows = (0..<10).map { step in
      ModelRows.Row(
        row: RewardRow(slot: 0, variant: 0, reward: 2 + 3 * Double(step)),
        features: FeatureVector([(0, 1), (1, 1e9 * Double(step)), (2, 0)]), unit: 0)
    }
    let model = try ModelRows.fit(LinearRewards { $0.lambda = 1e-9 }, rows)
    #expect(abs(model.reward(of: 0, in: 0, FeatureVector([(0, 1), (1, 2e10)])) - 62) < 1e-9)
  }

  @Test("logistic is at the minimum of its loss", arguments: 1...20 as ClosedRange<UInt64>)
  func logistic(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(30 + random.index(100), &random).rows
    let lambda = random.pick([0.3, 1, 30], or: 1)
    var passes = 0
    let model = try ModelRows.fit(
      LogisticRewards { $0.lambda = lambda }, rows, &random, passes: &passes
    ).model(for: 0)
    let weights = NaiveFits.logistic(rows, lambda)
    for (row, value) in zip(rows, ModelRows.predictions(model, rows)) {
      let z = zip(ModelRows.dense(row), weights).map(*).reduce(0, +)
      #expect(abs(value - LogisticModels.sigmoid(z)) < 1e-10, "seed \(seed)")
    }
    #expect(passes < 15, "seed \(seed)")
  }

  @Test(
    "logistic converges on separable rows of badly scaled columns",
    arguments: 1...10 as ClosedRange<UInt64>)
  func separable(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scale = random.pick([1, 1e-3, 1e4], or: 1)
    let rows = (0..<60).map { _ in
      let place = Double.random(in: -1...1, using: &random)
      return ModelRows.Row(
        row: RewardRow(slot: 0, variant: 0, reward: place > 0.9 ? 1 : 0),
        features: FeatureVector([(0, 1), (1, scale * place), (2, 1e3)]), unit: 0)
    }
    var passes = 0
    let lambda = random.pick([1e-6, 1e-3, 1], or: 1)
    let model = try ModelRows.fit(
      LogisticRewards { $0.lambda = lambda }, rows, &random, passes: &passes
    ).model(for: 0)
    let weights = try #require((model as? LogisticPredictor)?.weights)
    var gradient = weights.enumerated().map { $0 == 0 ? 0 : -lambda * $1 }
    for row in rows {
      let miss = row.row.reward - model.reward(of: 0, in: 0, row.features)
      for entry in row.features.entries { gradient[entry.column] += miss * entry.value }
    }
    #expect(abs(gradient[0]) < 1e-9 && abs(gradient[1]) < 1e-9 * max(1, scale), "seed \(seed)")
    #expect(passes < LogisticFit.mostPasses, "seed \(seed)")
  }

  @Test("logistic without features is the mean, even of rewards that are all zero")
  func logisticMean() throws {
    func rows(_ rewards: [Double]) -> [ModelRows.Row] {
      rewards.map {
        ModelRows.Row(
          row: RewardRow(slot: 0, variant: 0, reward: $0), features: FeatureVector([(0, 1)]),
          unit: 0)
      }
    }
    let one = FeatureVector([(0, 1)])
    let mean = try ModelRows.fit(LogisticRewards(), rows([0, 1, 0, 0.6])).reward(of: 0, in: 0, one)
    #expect(abs(mean - 0.4) < 1e-14)
    let zero = try ModelRows.fit(LogisticRewards(), rows([0, 0, 0])).reward(of: 0, in: 0, one)
    #expect(zero >= 0 && zero < 1e-12)
    let error = #expect(throws: SpecificationError.self) {
      try ModelRows.fit(LogisticRewards(), rows([0, 3.5, 1]))
    }
    #expect(error?.description.contains("there is one of 3.5") == true)
  }

  @Test("stumps are those of a search over all rows", arguments: 1...6 as ClosedRange<UInt64>)
  func stumps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(20 + random.index(60), &random).rows
    let (rate, lambda) = (random.pick([0.1, 0.5, 1], or: 1), random.pick([0, 1.5], or: 0))
    let model = try BoostedStumps {
      ($0.rounds, $0.rate, $0.lambda, $0.bins, $0.leastWeight) = (15, rate, lambda, 256, 4)
    }
    let fitted = ModelRows.predictions(try ModelRows.fit(model, rows), rows)
    let expected = NaiveFits.stumps(
      rows, rounds: 15, rate: rate, lambda: lambda, leastWeight: 4)
    for (a, b) in zip(fitted, expected) { #expect(abs(a - b) < 1e-9, "seed \(seed)") }
  }

  @Test("stumps find a step, and bins of many values have about equally many rows")
  func step() throws {
    let rows = (0..<5000).map { step in
      ModelRows.Row(
        row: RewardRow(slot: 0, variant: 0, reward: step < 3000 ? 0.2 : 0.9),
        features: FeatureVector([(0, 1), (1, Double(step) * 0.1)]), unit: 0)
    }
    let model = try ModelRows.fit(BoostedStumps { ($0.rounds, $0.bins) = (300, 50) }, rows)
    for (place, expected) in [(0.0, 0.2), (200, 0.2), (310, 0.9), (1e9, 0.9), (-5, 0.2)] {
      let features = FeatureVector([(0, 1), (1, place)])
      #expect(abs(model.reward(of: 0, in: 0, features) - expected) < 0.02)
    }
    var tally = ColumnTally()
    for row in rows {
      if let value = row.features.entries.dropFirst().first?.value { tally.add(value) }
    }
    let bounds = tally.bounds(50, rows: 5000)
    #expect(bounds.count == 49)
    for (a, b) in zip(bounds, bounds.dropFirst()) { #expect(b - a > 5 && b - a < 16) }
  }

  @Test("the ranges of a column's values depend on neither order nor parts")
  func tallies() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let values =
        (0..<4000).map { _ in Double.random(in: -1...1000, using: &random).rounded() / 7 }
        + (0..<2000).map { _ in Double.random(in: -1e-3...1e3, using: &random) } + [1, 1, -0.0]
      var whole = ColumnTally()
      for value in values { whole.add(value) }
      var parts = Array(repeating: ColumnTally(), count: 4)
      for value in values.shuffled(using: &random) { parts[random.index(4)].add(value) }
      var merged = parts[3]
      for part in parts[..<3] { merged.merge(part) }
      #expect(whole.bounds(40, rows: 7000) == merged.bounds(40, rows: 7000), "seed \(seed)")
      #expect(whole.bounds(5000, rows: 7000) == merged.bounds(5000, rows: 7000), "seed \(seed)")
    }
  }

  static let models = [
    "tabular:prior-count=3", "linear:lambda=2", "logistic:lambda=0.5",
    "stumps:rounds=20,min-weight=2",
  ]

  @Test(
    "neither order nor parts change a bit of a model", arguments: models,
    1...5 as ClosedRange<UInt64>)
  func merging(text: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(80, &random).rows
    let model = try RewardModelCatalog.standard.named(text)
    for folds in [1, 3] {
      var passes = 0
      let whole = try ModelRows.fit(model, rows, folds: folds, &random, passes: &passes)
      let merged = try ModelRows.fit(model, rows, folds: folds, parts: 4, &random, passes: &passes)
      for (a, b) in zip(whole.models, merged.models) {
        #expect(
          ModelRows.predictions(a, rows) == ModelRows.predictions(b, rows),
          "\(text), seed \(seed), \(folds) folds")
      }
    }
  }

  @Test(
    "the model of a fold is that of all other units", arguments: models,
    1...5 as ClosedRange<UInt64>)
  func folds(text: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = ModelRows(80, &random).rows
    let model = try RewardModelCatalog.standard.named(text)
    var passes = 0
    let models = try ModelRows.fit(model, rows, folds: 4, parts: 2, &random, passes: &passes)
    for fold in 0..<4 {
      let held = rows.filter { CrossFitting.fold(of: $0.unit, among: 4) == fold }
      let others = rows.filter { CrossFitting.fold(of: $0.unit, among: 4) != fold }
      let fitted = models.model(for: try #require(held.first).unit)
      let predictions = ModelRows.predictions(fitted, rows)
      // The bins of stumps are those of all rows, so that one pass serves all folds.
      if !text.hasPrefix("stumps") {
        let own = try ModelRows.fit(model, others)
        #expect(predictions == ModelRows.predictions(own, rows), "\(text), seed \(seed)")
      }
      let lies = rows.map { row in
        var row = row
        let isHeld = CrossFitting.fold(of: row.unit, among: 4) == fold
        if isHeld { row.row.reward = 1 - row.row.reward }
        return row
      }
      let blind = try ModelRows.fit(model, lies, folds: 4, &random, passes: &passes)
      #expect(
        predictions == ModelRows.predictions(blind.models[fold], rows), "\(text), seed \(seed)")
    }
  }

  @Test("folds are fixed and about equally large")
  func foldSizes() {
    var sizes = [Int](repeating: 0, count: 5)
    for unit in 0..<10_000 as Range<UInt64> { sizes[CrossFitting.fold(of: unit, among: 5)] += 1 }
    #expect(sizes.allSatisfy { abs($0 - 2000) < 160 })
    #expect((0..<8).map { CrossFitting.fold(of: $0, among: 5) } == [0, 2, 2, 4, 0, 1, 1, 3])
  }

  @Test("rows with an unusable reward or weight are ignored, and no rows predict zero")
  func unusable() throws {
    var random = SeededGenerator(seed: 3)
    let rows = ModelRows(40, &random).rows
    var more = rows
    for (reward, weight) in [(Double.nan, 1.0), (.infinity, 1), (0.5, 0), (0.5, -1), (0.5, .nan)] {
      var row = rows[0]
      (row.row.reward, row.row.weight) = (reward, weight)
      more.append(row)
    }
    for text in Self.models {
      let model = try RewardModelCatalog.standard.named(text)
      #expect(
        try ModelRows.predictions(ModelRows.fit(model, rows), rows)
          == ModelRows.predictions(ModelRows.fit(model, more), rows), "\(text)")
      let none = try ModelRows.fit(model, []).reward(of: 0, in: 0, rows[0].features)
      #expect(none == 0, "\(text)")
    }
  }

  @Test("too many columns are refused with a remedy", arguments: ["linear", "logistic", "stumps"])
  func tooLarge(text: String) throws {
    let model = try RewardModelCatalog.standard.named(text)
    let error = #expect(throws: SpecificationError.self) {
      try model.makeFit(RewardProblem(slots: 1, variants: 1, columns: 1001))
    }
    #expect(error?.description.contains("hash(NAME,100)") == true)
    #expect(throws: SpecificationError.self) {
      try CrossFitting(model, ModelRows.problem, folds: 0)
    }
  }
}
