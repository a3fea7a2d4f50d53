import Testing

@testable import Statistics

@Suite("Poisson weights")
struct PoissonWeightsTests {
  @Test(
    "the weights of many units follow the Poisson distribution", arguments: [1, 2, 3] as [UInt64])
  func distribution(seed: UInt64) {
    let weights = PoissonWeights(seed: seed)
    var counts = [Int](repeating: 0, count: 6)
    for unit in 0..<2000 as Range<UInt64> {
      for replicate in 0..<50 { counts[min(weights.weight(of: unit, in: replicate), 5)] += 1 }
    }
    let p0 = 0.36787944117144233
    let first = [p0, p0, p0 / 2, p0 / 6, p0 / 24]
    let probabilities = first + [1 - first.reduce(0, +)]
    #expect(chiSquareRatio(counts, probabilities: probabilities) <= 1)
  }

  @Test("the table gives every weight its probability to within 2⁻³²")
  func table() {
    let p0 = 0.36787944117144233
    var (probability, sum) = (p0, 0.0)
    for weight in 0..<12 {
      sum += probability
      let end = UInt32(min((sum * 0x1p32).rounded(), 0xFFFF_FFFF))
      #expect(PoissonWeights.weight(end - 1) <= weight && PoissonWeights.weight(end - 2) <= weight)
      #expect(PoissonWeights.weight(end) == weight + 1, "\(weight)")
      probability /= Double(weight + 1)
    }
    #expect(PoissonWeights.weight(0) == 0 && PoissonWeights.weight(.max) == 12)
  }

  @Test("a weight depends on seed, unit and replicate alone, and each of them matters")
  func dependence() {
    let weights = PoissonWeights(seed: 5)
    for unit in 0..<50 as Range<UInt64> {
      var walked = [Int](repeating: 0, count: 31)
      weights.forEach(below: 31, of: unit) { walked[$0] = $1 }
      #expect(walked == (0..<31).map { weights.weight(of: unit, in: $0) })
    }
    // Words with few bits set are units too: neighbours must not agree more often than chance, Σp² = .3085.
    let pairs: [(PoissonWeights, UInt64, Int)] = [
      (weights, 1, 0), (PoissonWeights(seed: 6), 0, 0), (weights, 0, 1), (weights, 0, 2),
    ]
    for (other, step, shift) in pairs {
      let agreeing = (0..<20_000).count { number in
        let unit = UInt64(number)
        return weights.weight(of: unit, in: 7) == other.weight(of: unit + step, in: 7 + shift)
      }
      #expect(abs(Double(agreeing) / 20_000 - 0.3085) < 0.017)
    }
  }
}

@Suite("Poisson bootstrap")
struct PoissonBootstrapTests {
  @Test(
    "values that units have in common count like others, in any order and split",
    arguments: UInt64(0)..<40)
  func repeated(seed: UInt64) {
    var random = Xoshiro256(seed: seed)
    let common = (0..<[1, 3, 60][Int(seed % 3)]).map { _ in
      (
        Double(Draw.index(below: 5, using: &random)) / 3,
        Double(Draw.index(below: 3, using: &random))
      )
    }
    let units = (0..<300).map { _ in common[Draw.index(below: common.count, using: &random)] }
    var (whole, parts) = (
      PoissonBootstrap(replicates: 7, seed: seed),
      [PoissonBootstrap](repeating: PoissonBootstrap(replicates: 7, seed: seed), count: 3)
    )
    var naive = Array(repeating: (above: 0 as Int128, below: 0 as Int128, count: 0), count: 7)
    for (unit, value) in units.enumerated() {
      whole.add(value.0, over: value.1, unit: UInt64(unit))
      for replicate in 0..<7 {
        let weight = whole.weights.weight(of: UInt64(unit), in: replicate)
        naive[replicate].above += Int128(weight) * (FixedPointSum.steps(of: value.0) ?? 0)
        naive[replicate].below += Int128(weight) * (FixedPointSum.steps(of: value.1) ?? 0)
        naive[replicate].count += weight
      }
    }
    for (unit, value) in units.enumerated().reversed() {
      parts[unit % 3].add(value.0, over: value.1, unit: UInt64(unit))
    }
    let merged = parts.reduce(into: PoissonBootstrap(replicates: 7, seed: seed)) { $0.merge($1) }
    #expect(merged == whole, "seed \(seed)")
    for replicate in 0..<7 {
      #expect(whole.count(in: replicate) == naive[replicate].count, "seed \(seed)")
      let sums = whole.sums(in: replicate)
      #expect(sums?.numerator == FixedPointSum(steps: naive[replicate].above).value)
      #expect(sums?.denominator == FixedPointSum(steps: naive[replicate].below).value)
    }
  }

  private func sample(_ count: Int, seed: UInt64) -> [Double] {
    var random = Xoshiro256(seed: seed)
    return (0..<count).map { _ in Draw.exponential(rate: 0.5, using: &random) }
  }

  @Test("each replicate is the mean under its weights, and units keep theirs over many values")
  func twin() {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let rows = (0..<60).map { _ in
        (
          unit: UInt64(Draw.index(below: 25, using: &random)),
          n: Draw.normal(mean: 3, using: &random), d: Draw.unit(using: &random) + 1
        )
      }
      var bootstrap = PoissonBootstrap(replicates: 41, seed: seed)
      for row in rows { bootstrap.add(row.n, over: row.d, unit: row.unit) }
      let weights = PoissonWeights(seed: seed)
      for (replicate, estimate) in bootstrap.estimates.enumerated() {
        let weighed = rows.map { Double(weights.weight(of: $0.unit, in: replicate)) }
        let above = zip(rows, weighed).reduce(0.0) { $0 + $1.0.n * $1.1 }
        let below = zip(rows, weighed).reduce(0.0) { $0 + $1.0.d * $1.1 }
        expectClose(estimate, above / below, 1e-12)
        expectClose(bootstrap.sums(in: replicate)?.numerator, above, 1e-12)
        expectClose(bootstrap.sums(in: replicate)?.denominator, below, 1e-12)
        #expect(bootstrap.count(in: replicate) == Int(weighed.reduce(0, +)))
      }
      expectClose(
        bootstrap.estimate, rows.reduce(0.0) { $0 + $1.n } / rows.reduce(0.0) { $0 + $1.d }, 1e-13)
    }
  }

  @Test("there are no sums of missing or incomplete replicates")
  func sums() {
    var bootstrap = PoissonBootstrap(replicates: 2, seed: 1)
    bootstrap.add(1, unit: 1)
    #expect(bootstrap.sums(in: 1) != nil && bootstrap.sums(in: 2) == nil)
    bootstrap.add(.infinity, unit: 2)
    #expect(bootstrap.sums(in: 1) == nil)
  }

  @Test("any order, split and merge gives the same bits")
  func merging() {
    for seed in 0..<10 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let rows = (0..<80).map { _ in
        (unit: random.next() % 30, value: Draw.normal(standardDeviation: 1e3, using: &random))
      }
      let empty = PoissonBootstrap(replicates: 30, seed: seed)
      let whole = rows.reduce(into: empty) { $0.add($1.value, unit: $1.unit) }
      var parts = [PoissonBootstrap](repeating: empty, count: 4)
      for row in rows.shuffled(using: &random) {
        parts[Draw.index(below: 4, using: &random)].add(row.value, unit: row.unit)
      }
      let merged = parts.shuffled(using: &random).reduce(into: empty) { $0.merge($1) }
      #expect(merged == whole && merged.distribution == whole.distribution, "seed \(seed)")
    }
  }

  @Test("intervals and standard error match theory, within Monte Carlo error")
  func agreement() throws {
    let (a, b) = (sample(400, seed: 1), sample(500, seed: 2))
    var (control, treatment) = (
      PoissonBootstrap(replicates: 1000, seed: 9), PoissonBootstrap(replicates: 1000, seed: 9)
    )
    for (unit, value) in a.enumerated() { control.add(value, unit: UInt64(unit)) }
    for (unit, value) in b.enumerated() { treatment.add(value, unit: UInt64(10_000 + unit)) }
    let (meanA, meanB) = (ReferenceSamples.mean(a), ReferenceSamples.mean(b))
    let welch = MeanTest.welch(treatment: meanB, control: meanA)
    let difference = try #require(treatment.difference(from: control))
    expectClose(difference.estimate, welch.estimate, 1e-12)
    // A standard deviation of 1000 replicates has a relative error of 1/√2000 = 2.2 %, a quantile at 2.5 % about 2.67·SE/√1000.
    let error = try #require(welch.standardError)
    expectClose(difference.standardError, error, 0.1)
    let expected = try #require(welch.interval)
    for interval in [
      difference.percentileInterval(), difference.basicInterval(), difference.normalInterval(),
    ] {
      let interval = try #require(interval)
      #expect(abs(interval.low - expected.low) < 0.4 * error)
      #expect(abs(interval.high - expected.high) < 0.4 * error)
    }
    let lift = try #require(treatment.lift(over: control))
    let delta = try #require(RelativeLift.deltaZ(treatment: meanB, control: meanA))
    expectClose(lift.estimate, delta.estimate, 1e-12)
    expectClose(lift.standardError, try #require(delta.standardError), 0.12)
    let bias = try #require(lift.bias)
    #expect(lift.missing == 0 && abs(bias) < 0.2 * error)
  }

  @Test("the naive bootstrap, which draws units with replacement, has the same standard error")
  func naive() throws {
    let values = sample(200, seed: 4)
    var bootstrap = PoissonBootstrap(replicates: 1000, seed: 4)
    for (unit, value) in values.enumerated() { bootstrap.add(value, unit: UInt64(unit)) }
    var random = Xoshiro256(seed: 5)
    let means = (0..<1000).map { _ in
      (0..<200).reduce(0.0) { sum, _ in sum + values[Draw.index(below: 200, using: &random)] } / 200
    }
    let error = try #require(Moments(means).standardDeviation)
    // Two standard deviations of 1000 replicates each: 3.2 % relative, held within four of these.
    expectClose(bootstrap.distribution?.standardError, error, 0.13)
  }

  @Test("a ratio metric has the standard error of the delta method")
  func ratio() throws {
    var random = Xoshiro256(seed: 8)
    var bootstrap = PoissonBootstrap(replicates: 1000, seed: 8)
    var moments = RatioMoments()
    for unit in 0..<300 as Range<UInt64> {
      let sessions = 1 + Draw.poisson(mean: 2, using: &random)
      let clicks = Draw.poisson(mean: Double(sessions) * 0.4, using: &random)
      bootstrap.add(Double(clicks), over: Double(sessions), unit: unit)
      moments.add(Double(clicks), over: Double(sessions))
    }
    let ratio = try #require(moments.ratio)
    expectClose(bootstrap.estimate, ratio.mean, 1e-12)
    expectClose(bootstrap.distribution?.standardError, ratio.squaredError.squareRoot(), 0.1)
  }

  @Test("values out of range are counted or give nil, never a wrong result")
  func limits() {
    var bootstrap = PoissonBootstrap(replicates: 10, seed: 1)
    #expect(bootstrap.estimate == nil && bootstrap.distribution == nil)
    for value in [.nan, .infinity, -.infinity, 0x1p62, 1e300] { bootstrap.add(value, unit: 1) }
    #expect(bootstrap.refused == 5 && bootstrap.count == 0 && bootstrap.estimate == nil)
    bootstrap.add(.leastNonzeroMagnitude, unit: 2)
    #expect(bootstrap.estimate == 0)
    bootstrap.add(0x1p61, unit: 3)
    #expect(bootstrap.estimate == nil && bootstrap.distribution == nil)
    var few = PoissonBootstrap(replicates: 200, seed: 1)
    few.add(3, unit: 1)
    let distribution = few.distribution
    #expect(distribution?.estimate == 3 && distribution?.standardError == 0)
    // The only unit is in no replicate with the probability 1/e.
    #expect((40...110).contains(distribution?.missing ?? 0))
    #expect(PoissonBootstrap(replicates: 0, seed: 1).replicates == 1)
    #expect(few.count(in: 200) == nil)
  }
}
