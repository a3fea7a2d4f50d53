import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Off-policy estimators by terms")
struct TermEstimatorTests {
  static let names = [
    "dm", "ips", "clipped-ips:lambda=1.25", "snips", "dr", "sndr", "switch-dr:tau=1.5",
    "dros:lambda=3", "sub-gaussian-ips:lambda=0.2", "sub-gaussian-dr:lambda=0.2", "mrdr", "mips",
    "balanced-ips", "replay", "slate-ips", "slate-snips", "independent-ips", "independent-snips",
    "cascade-ips", "cascade-snips", "cascade-dr", "pseudo-inverse", "pseudo-inverse-sn",
    "multi-ips",
    "multi-balanced-ips", "multi-balanced-dr",
  ]

  static func sums(_ name: String, _ decisions: [LoggedDecision]) throws -> OffPolicySums {
    let estimator = try EstimatorCatalog.standard.named(name)
    return decisions.reduce(into: OffPolicySums(estimator)) { $0.add($1) }
  }

  /// The decisions as of a policy that does not draw, for the estimator that has no value of others.
  private static func decisions(of name: String, _ drawn: [LoggedDecision]) -> [LoggedDecision] {
    guard name == "replay" else { return drawn }
    return drawn.compactMap { LoggedDecision(reward: $0.reward, weight: $0.weight) }
  }

  /// The terms m, a and b of a decision, straight from the formulas; nil for an absent part.
  private func terms(_ name: String, _ d: LoggedDecision) -> (m: Double?, ratio: (Double, Double)?) {
    let (w, r, q, v) = (d.weight, d.reward, d.modelled, d.expected)
    switch name {
    case "dm": return (v, nil)
    case "clipped-ips:lambda=1.25": return (min(w, 1.25) * r, nil)
    case "snips", "slate-snips", "independent-snips", "cascade-snips", "pseudo-inverse-sn":
      return (nil, (w * r, w))
    case "dr", "mrdr", "cascade-dr", "multi-balanced-dr": return (v + w * (r - q), nil)
    case "sndr": return (v, (w * (r - q), w))
    case "switch-dr:tau=1.5": return (w <= 1.5 ? v + w * (r - q) : v, nil)
    case "dros:lambda=3": return (v + 3 * w / (w * w + 3) * (r - q), nil)
    case "sub-gaussian-ips:lambda=0.2": return (w / (0.8 + 0.2 * w) * r, nil)
    case "sub-gaussian-dr:lambda=0.2": return (v + w / (0.8 + 0.2 * w) * (r - q), nil)
    case "replay": return (nil, w > 0 ? (r, 1) : (0, 0))
    default: return (w * r, nil)
    }
  }

  /// Value and standard error from the influence of each unit.
  private func naive(_ name: String, _ units: [[LoggedDecision]]) -> (value: Double, error: Double) {
    var (m, a, b): ([Double], [Double], [Double]) = ([], [], [])
    for unit in units {
      let all = unit.map { terms(name, $0) }
      m.append(all.reduce(0) { $0 + ($1.m ?? 0) })
      a.append(all.reduce(0) { $0 + ($1.ratio?.0 ?? 0) })
      b.append(all.reduce(0) { $0 + ($1.ratio?.1 ?? 0) })
    }
    let count = Double(units.count)
    let n = units.map { Double($0.count) }
    let mean = m.reduce(0, +) / n.reduce(0, +)
    let hasRatio = terms(name, units[0][0]).ratio != nil
    let ratio = hasRatio ? a.reduce(0, +) / b.reduce(0, +) : 0
    let (size, below) = (n.reduce(0, +) / count, hasRatio ? b.reduce(0, +) / count : 1)
    let squares = units.indices.reduce(0.0) {
      let psi = (m[$1] - mean * n[$1]) / size + (a[$1] - ratio * b[$1]) / below
      return $0 + psi * psi
    }
    return (mean + ratio, (squares / count / (count - 1)).squareRoot())
  }

  @Test("value and standard error are those of the influences", arguments: names)
  func twin(name: String) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let decisions = Self.decisions(of: name, randomDecisions(3 + Int(seed % 20), using: &random))
      guard decisions.contains(where: { $0.weight > 0 }) else { continue }
      let sums = try Self.sums(name, decisions)
      let expected = naive(name, decisions.map { [$0] })
      expectClose(sums.value.map { $0 + 100 }, expected.value + 100, 1e-12)
      expectClose(sums.spread.map { $0 + 1 }, expected.error + 1, 1e-9)
      #expect(sums.count == decisions.count && sums.units == decisions.count)
      #expect(sums.matched == decisions.filter { $0.weight > 0 }.count)
      guard let interval = sums.interval() else { continue }
      expectClose(interval.width + 1, 1 + 2 * 1.959963984540054 * expected.error, 1e-9)
    }
  }

  @Test("the standard error is by unit", arguments: names)
  func unitTwin(name: String) throws {
    let estimator = try EstimatorCatalog.standard.named(name)
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(
        Self.decisions(of: name, randomDecisions(30, using: &random)), largest: 6, using: &random)
      let sums = units.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }
      let expected = naive(name, units)
      expectClose(sums.value.map { $0 + 100 }, expected.value + 100, 1e-12)
      expectClose(sums.spread.map { $0 + 1 }, expected.error + 1, 1e-9)
      #expect(sums.count == 30 && sums.units == units.count, "seed \(seed)")
    }
  }

  @Test("parts merge in any order to the same sums", arguments: names)
  func merging(name: String) throws {
    let estimator = try EstimatorCatalog.standard.named(name)
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(randomDecisions(60, using: &random), largest: 4, using: &random)
      let whole = units.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }
      var parts = [OffPolicySums](repeating: OffPolicySums(estimator), count: 5)
      for unit in units.shuffled(using: &random) {
        let part = Draw.index(below: 5, using: &random)
        if unit.count == 1 {
          parts[part].add(unit[0])
        } else {
          parts[part].add(unit: unit.shuffled(using: &random).span)
        }
      }
      let merged = parts.shuffled(using: &random).reduce(into: OffPolicySums(estimator)) {
        $0.merge($1)
      }
      #expect(merged == whole, "seed \(seed)")
      #expect(merged.value == whole.value && merged.standardError == whole.standardError)
    }
  }

  @Test("equal decisions count as often as they are added", arguments: names)
  func times(name: String) throws {
    let estimator = try EstimatorCatalog.standard.named(name)
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      var (single, grouped) = (OffPolicySums(estimator), OffPolicySums(estimator))
      for decision in randomDecisions(10, using: &random) {
        let times = Draw.index(below: 5, using: &random)
        for _ in 0..<times { single.add(decision) }
        grouped.add(decision, times: times)
      }
      #expect(single == grouped, "seed \(seed)")
    }
  }

  @Test("without decisions, or without information on the target, there is no value")
  func nothing() throws {
    for name in Self.names {
      var none = OffPolicySums(try EstimatorCatalog.standard.named(name))
      #expect(none.value == nil && none.standardError == nil && none.interval() == nil, "\(name)")
      none.add(unit: [LoggedDecision]().span)
      #expect(none.count == 0 && none.units == 0)
    }
    for name in ["snips", "sndr", "replay"] {
      let off = try #require(LoggedDecision(reward: 1, weight: 0))
      let sums = try Self.sums(name, [off, off])
      #expect(sums.count == 2 && sums.matched == 0 && sums.value == nil, "\(name)")
      #expect(sums.standardError == nil)
    }
  }
}
