import Statistics
import TestSupport

@testable import Replay

/// The bounds of the regret by the words of their definition, in plain sums over the decisions of a place.
struct NaiveRegretBounds {
  private struct Variant {
    var name: String
    var mean: Double
    var error: Double
    var degrees: Double
    var bounds: (low: Double, high: Double)
  }

  private var variants: [Variant] = []
  private let hasConstantPropensities: Bool
  private let isShared: Bool
  private let alpha: Double

  init?(_ all: [NaiveRewards.Counted], _ rules: RegretRules) {
    alpha = 1 - rules.level
    let names = Set(all.map(\.key.variant)).sorted()
    let weighed = all.filter { rules.means == .plain || $0.propensity != nil }
    let byUnit = Dictionary(grouping: weighed, by: \.unit)
    isShared = byUnit.values.contains { Set($0.map(\.key.variant)).count > 1 }
    let shares = names.map { name in
      Set(all.filter { $0.key.variant == name }.map { $0.propensity ?? .nan })
    }
    hasConstantPropensities =
      shares.allSatisfy { $0.count == 1 && $0.allSatisfy { $0 >= 1e-6 && $0 <= 1 } }
      && shares.reduce(0) { $0 + ($1.first ?? 0) } < 1 + 1e-6
    let isBinary =
      rules.means == .plain && all.allSatisfy { $0.sum == 0 || $0.sum == 1 }
      && names.allSatisfy { name in
        let own = all.filter { $0.key.variant == name }
        return Set(own.map(\.unit)).count == own.count
      }
    var spreads: [(name: String, mean: Double, squares: Double, below: Double, units: Double)] = []
    for name in names {
      func above(_ decisions: [NaiveRewards.Counted]) -> Double {
        decisions.filter { $0.key.variant == name }.reduce(0) {
          $0 + $1.sum / (rules.means == .plain ? 1 : $1.propensity ?? 1)
        }
      }
      func below(_ decisions: [NaiveRewards.Counted]) -> Double {
        let own = decisions.filter { $0.key.variant == name }
        return switch rules.means {
        case .plain: Double(own.count)
        case .ips: Double(decisions.count)
        case .snips: own.reduce(0) { $0 + 1 / ($1.propensity ?? 1) }
        }
      }
      let mean = above(weighed) / below(weighed)
      let squares = byUnit.values.reduce(0.0) { sum, decisions in
        let error = above(decisions) - mean * below(decisions)
        return sum + error * error
      }
      let units = byUnit.values.filter { $0.contains { $0.key.variant == name } }.count
      spreads.append((name, mean, squares, below(weighed), Double(units)))
    }
    let pooledDegrees = spreads.reduce(0) { $0 + max(0, $1.units - 1) }
    let pooled = pooledDegrees > 0 ? spreads.reduce(0) { $0 + $1.squares } / pooledDegrees : 0
    let usual = max(1, Double(byUnit.count) / Double(names.count))
    for spread in spreads {
      let correction = spread.units > 1 ? spread.units / (spread.units - 1) : 1
      var error = (spread.squares * correction).squareRoot() / spread.below
      var degrees = max(0, spread.units - 1)
      if spread.units < 200, rules.means == .plain {
        let other = (pooled * spread.units).squareRoot() / spread.below
        error = spread.units > 1 ? max(error, other) : other
        degrees = max(degrees, pooledDegrees)
      }
      var bounds = (-Double.infinity, Double.infinity)
      if isBinary {
        let own = all.filter { $0.key.variant == spread.name }
        let proportion = Proportion(
          successes: own.filter { $0.sum == 1 }.count, trials: own.count)
        let interval = BernoulliSequence(tightestAt: usual, alpha: alpha / Double(names.count))
          .interval(proportion)
        bounds = (interval?.low ?? 0, interval?.high ?? 1)
      } else {
        let reach = MixtureT(tightestAt: usual, alpha: alpha / Double(names.count))
          .multiplier(count: spread.units, degreesOfFreedom: degrees)
        if reach.isFinite { bounds = (spread.mean - reach * error, spread.mean + reach * error) }
      }
      variants.append(
        Variant(
          name: spread.name, mean: spread.mean, error: error, degrees: degrees, bounds: bounds))
    }
    guard isBinary || variants.contains(where: { $0.error > 0 }) else { return nil }
  }

  func interval(_ counts: [String: Int]) -> Interval? {
    let count = { (variant: Variant) in Double(counts[variant.name] ?? 0) }
    let total = variants.reduce(0) { $0 + count($1) }
    var (low, high) = (-Double.infinity, -Double.infinity)
    if hasConstantPropensities, variants.contains(where: { $0.error > 0 }) {
      for best in variants {
        let gain = variants.reduce(0) { $0 + count($1) * (best.mean - $1.mean) }
        let reaches = variants.map { variant in
          (variant.name == best.name ? total - count(variant) : count(variant)) * variant.error
        }
        let variance = reaches.reduce(0) { $0 + $1 * $1 }
        let error = isShared ? reaches.reduce(0, +) : variance.squareRoot()
        let fourth = zip(reaches, variants).reduce(0) {
          $0 + $1.0 * $1.0 * $1.0 * $1.0 / max(1, $1.1.degrees)
        }
        let t = StudentT(degreesOfFreedom: fourth > 0 ? max(1, variance * variance / fourth) : 1)
        low = max(low, gain + t.quantile(alpha / 2 / Double(variants.count)) * error)
        high = max(high, gain - t.quantile(alpha / 2) * error)
      }
    } else {
      let floor = variants.map(\.bounds.low).max() ?? 0
      low = variants.reduce(0) {
        count($1) > 0 ? $0 + count($1) * max(0, floor - $1.bounds.high) : $0
      }
      for best in variants {
        let gain = variants.reduce(0) {
          $1.name == best.name || count($1) == 0
            ? $0 : $0 + count($1) * (best.bounds.high - $1.bounds.low)
        }
        high = max(high, gain)
      }
    }
    guard low.isFinite, high.isFinite else { return nil }
    return Interval(max(0, low), max(0, low, high))
  }
}
