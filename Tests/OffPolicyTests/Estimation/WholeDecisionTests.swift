import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

/// Random units of whole decisions with one to `slots` slots each.
private func randomSlates(
  _ count: Int, slots: Int, using random: inout Xoshiro256
) -> [[[LoggedDecision]]] {
  var units: [[[LoggedDecision]]] = []
  for _ in 0..<count {
    let size = 1 + Draw.index(below: slots, using: &random)
    var slate: [LoggedDecision] = []
    for slot in 0..<size {
      let decision = LoggedDecision(
        reward: Draw.normal(mean: 1, using: &random),
        weight: Draw.bernoulli(0.2, using: &random) ? 0 : 2 * Draw.unit(using: &random),
        modelled: Draw.normal(using: &random), expected: Draw.normal(using: &random))
      guard var decision else { continue }
      decision.isContinuation = slot > 0
      slate.append(decision)
    }
    if units.isEmpty || Draw.bernoulli(0.6, using: &random) { units.append([]) }
    units[units.count - 1].append(slate)
  }
  return units
}

@Suite("Off-policy estimators of whole decisions")
struct WholeDecisionTests {
  static let byTerms = [
    "slate-ips", "slate-snips", "independent-ips", "cascade-ips", "cascade-dr", "pseudo-inverse",
    "pseudo-inverse-sn",
  ]
  static let names = byTerms + ["independent-snips", "cascade-snips"]

  private func sums(_ name: String, _ units: [[[LoggedDecision]]]) throws -> OffPolicySums {
    let estimator = try EstimatorCatalog.standard.named(name)
    return units.reduce(into: OffPolicySums(estimator)) {
      let decisions = Array($1.joined())
      $0.add(unit: decisions.span)
    }
  }

  /// The products of the weights up to each slot.
  private func products(_ slate: [LoggedDecision]) -> [Double] {
    slate.indices.map { k in slate[...k].reduce(1) { $0 * $1.weight } }
  }

  /// The terms of a whole decision by the words of the formulas: m, or a and b.
  private func terms(_ name: String, _ slate: [LoggedDecision]) -> [Double] {
    let reward = slate.reduce(0) { $0 + $1.reward }
    let up = products(slate)
    let last = up.last ?? 1
    let pseudo = slate.reduce(0) { $0 + $1.weight } - Double(slate.count) + 1
    switch name {
    case "slate-ips": return [last * reward]
    case "slate-snips": return [last * reward, last]
    case "independent-ips": return [slate.reduce(0) { $0 + $1.weight * $1.reward }]
    case "cascade-ips": return [zip(up, slate).reduce(0) { $0 + $1.0 * $1.1.reward }]
    case "cascade-dr":
      return [
        slate.indices.reduce(0) {
          $0 + (($1 > 0 ? up[$1 - 1] : 1) * slate[$1].expected)
            + up[$1] * (slate[$1].reward - slate[$1].modelled)
        }
      ]
    case "pseudo-inverse": return [pseudo * reward]
    default: return [pseudo * reward, pseudo]
    }
  }

  /// The estimate from all units, each counted a number of times.
  private func naive(
    _ name: String, _ units: [[[LoggedDecision]]], times: [Double]
  ) -> Double {
    let slates = zip(units, times).flatMap { unit, times in unit.map { ($0, times) } }
    let n = slates.reduce(0) { $0 + $1.1 }
    if Self.byTerms.contains(name) {
      let all = slates.map { (terms(name, $0.0), $0.1) }
      let a = all.reduce(0) { $0 + $1.0[0] * $1.1 }
      return a / (all[0].0.count == 1 ? n : all.reduce(0) { $0 + $1.0[1] * $1.1 })
    }
    var sum = 0.0
    for slot in 0..<3 {
      let have = slates.filter { $0.0.count > slot }
      guard !have.isEmpty else { continue }
      let weighed = have.map { slate, times in
        let weight = name == "cascade-snips" ? products(slate)[slot] : slate[slot].weight
        return (weight * times, slate[slot].reward)
      }
      let share = have.reduce(0) { $0 + $1.1 } / n
      sum +=
        share * weighed.reduce(0) { $0 + $1.0 * $1.1 } / weighed.reduce(0) { $0 + $1.0 }
    }
    return sum
  }

  @Test("value and standard error are those of the definition", arguments: names)
  func twin(name: String) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomSlates(60, slots: 3, using: &random)
      let sums = try sums(name, units)
      let ones = units.map { _ in 1.0 }
      let value = naive(name, units, times: ones)
      expectClose(sums.value.map { $0 + 100 }, value + 100, 1e-11)
      // The influence of a unit is the derivative of the estimate with respect to its number.
      let step = 1e-6
      let influences = units.indices.map { unit in
        var (more, less) = (ones, ones)
        more[unit] += step
        less[unit] -= step
        return (naive(name, units, times: more) - naive(name, units, times: less)) / (2 * step)
      }
      let n = Double(units.count)
      let error = (influences.reduce(0) { $0 + $1 * $1 } * n / (n - 1)).squareRoot()
      expectClose(sums.standardError, error, 1e-5)
      let slates = units.flatMap { $0 }
      #expect(sums.count == slates.count && sums.units == units.count, "seed \(seed)")
      #expect(sums.matched == slates.filter { $0.allSatisfy { $0.weight > 0 } }.count)
    }
  }

  @Test("parts merge in any order to the same sums", arguments: names)
  func merging(name: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomSlates(60, slots: 4, using: &random)
      let whole = try sums(name, units)
      var parts = [[[[LoggedDecision]]]](repeating: [], count: 4)
      for unit in units.shuffled(using: &random) {
        parts[Draw.index(below: 4, using: &random)].append(unit.shuffled(using: &random))
      }
      let sums = try parts.shuffled(using: &random).map { try self.sums(name, $0) }
      let merged = sums.dropFirst().reduce(into: sums[0]) { $0.merge($1) }
      #expect(merged == whole && merged.value == whole.value, "seed \(seed)")
      #expect(merged.standardError == whole.standardError, "seed \(seed)")
    }
  }

  @Test("with one slot, each is IPS, SNIPS or DR exactly")
  func oneSlot() throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomSlates(40, slots: 1, using: &random)
      for (name, same) in [
        ("slate-ips", "ips"), ("independent-ips", "ips"), ("cascade-ips", "ips"),
        ("pseudo-inverse", "ips"), ("slate-snips", "snips"), ("independent-snips", "snips"),
        ("cascade-snips", "snips"), ("pseudo-inverse-sn", "snips"), ("cascade-dr", "dr"),
      ] {
        let (found, expected) = (try sums(name, units), try sums(same, units))
        #expect(found.value == expected.value, "\(name), seed \(seed)")
        expectClose(found.standardError, expected.standardError ?? .nan, 1e-12)
        #expect(found.count == expected.count && found.matched == expected.matched)
      }
    }
  }

  @Test("on its own log, a policy's value is the mean of the rewards of whole decisions")
  func onPolicy() throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomSlates(30, slots: 3, using: &random).map { unit in
        unit.map { slate in
          slate.compactMap { slot -> LoggedDecision? in
            var same = LoggedDecision(reward: slot.reward, weight: 1)
            same?.isContinuation = slot.isContinuation
            return same
          }
        }
      }
      // Each whole decision as a single one.
      let joined = units.map { unit in
        unit.map { slate in
          [LoggedDecision(reward: slate.reduce(0) { $0 + $1.reward }, weight: 1)].compactMap { $0 }
        }
      }
      let mean = try sums("ips", joined).value ?? .nan
      for name in Self.names {
        let value = try sums(name, units).value
        if Self.byTerms.contains(name) {
          #expect(value == mean, "\(name), seed \(seed)")
        } else {
          expectClose(value, mean, 1e-12)
        }
      }
    }
  }

  @Test("a model of zeros makes cascade-dr cascade-ips")
  func zeroModel() throws {
    var random = Xoshiro256(seed: 2)
    let units = randomSlates(50, slots: 4, using: &random).map { unit in
      unit.map { slate in
        slate.compactMap { slot -> LoggedDecision? in
          var blind = LoggedDecision(reward: slot.reward, weight: slot.weight)
          blind?.isContinuation = slot.isContinuation
          return blind
        }
      }
    }
    #expect(try sums("cascade-dr", units).value == sums("cascade-ips", units).value)
  }

  @Test("intervals and paired differences count whole decisions", arguments: byTerms)
  func intervals(name: String) throws {
    var random = Xoshiro256(seed: 7)
    let units = randomSlates(300, slots: 3, using: &random)
    let estimator = try EstimatorCatalog.standard.named(name)
    let bootstrap = try BootstrapInterval { ($0.replicates, $0.seed) = (400, 2) }
    var state = try #require(bootstrap.makeState(for: estimator))
    var paired = PairedDifference(try #require(estimator as? any TermEstimator))
    for (key, unit) in units.enumerated() {
      let decisions = Array(unit.joined())
      var others = decisions
      for index in others.indices {
        let decision = decisions[index]
        guard
          var other = LoggedDecision(
            reward: decision.reward, weight: 1, modelled: decision.modelled,
            expected: decision.expected)
        else { continue }
        other.isContinuation = decision.isContinuation
        others[index] = other
      }
      state.add(unit: decisions.span, key: UInt64(key))
      paired.add(unit: decisions.span, versus: others.span)
    }
    let sums = try sums(name, units)
    let distribution = try #require(state.distribution)
    expectClose(distribution.estimate, sums.value ?? .nan, 1e-9)
    expectClose(distribution.standardError, sums.standardError ?? .nan, 0.2)
    #expect(paired.count == 300 && paired.units == units.count)
    let onPolicy = (paired.value ?? .nan) - (sums.value ?? .nan)
    #expect(onPolicy.isFinite)
  }

  @Test("sums of slots are read back, and refused where a slot has other sums than three")
  func brokenState() throws {
    let rule = CascadeSelfNormalized()
    var others = MomentSums(0, growingBy: 1)
    for width in 1...7 {
      let values = (0..<width).map { Double($0 + 1) }
      others.add(values.span, decisions: 1, matched: 1, times: 1)
      var writer = StateWriter()
      others.write(to: &writer)
      var (sums, reader) = (rule.makeSums(), StateReader(writer.bytes))
      if width.isMultiple(of: 3) {
        try sums.read(from: &reader)
        #expect(sums.width == width && rule.value(of: sums) != nil)
      } else {
        #expect(throws: StateError.self) { try sums.read(from: &reader) }
      }
    }
  }
}
