import Events
import Scenarios
import Testing

@Suite("Storefront: propensities")
struct StorefrontPropensityTests {
  @Test("every drawn decision has the propensity of its variant, and the others none of their own")
  func propensities() throws {
    let log = try StorefrontLog.large.get()
    let known = ["checkout-button": 1.0 / 3, "hero": 0.25, "banner": 1.0 / 3]
    for row in log.rows where row.kind == .decision {
      if row.status == .excluded {
        #expect(row.propensity == nil && row.probabilities == nil)
        continue
      }
      let index = try #require(row.choices.firstIndex(of: row.variant))
      switch row.experiment {
      case "pricing":
        #expect(row.probabilities == [0.8, 0.2])
        #expect(row.propensity == row.probabilities?[index])
      case "recommendations":
        if row.isDrawn { #expect(row.propensity == row.probabilities?[index]) }
      default:
        #expect(row.propensity == known[row.experiment] ?? known[row.slot])
        #expect(row.probabilities == nil)
      }
    }
  }

  @Test("the adaptive logger's probabilities are ten thousandths, at least 0.01, and sum to 1")
  func probabilities() throws {
    var changes = 0
    var last: [Double] = []
    for row in try StorefrontLog.large.get().rows where row.experiment == "recommendations" {
      guard let probabilities = row.probabilities else { continue }
      let shares = probabilities.map { Int(($0 * 10_000).rounded()) }
      #expect(shares.reduce(0, +) == 10_000)
      #expect(shares.map { Double($0) / 10_000 } == probabilities)
      #expect(shares.allSatisfy { $0 >= 100 })
      if probabilities != last { changes += 1 }
      last = probabilities
    }
    #expect(changes > 50)
    // The best of the five, by a wide margin after so many decisions.
    #expect(last.firstIndex(of: last.max() ?? 0) == 3)
  }

  @Test(
    "the mean of 1/p over decisions is the number of variants",
    arguments: ["checkout-button", "recommendations", "pricing", "homepage"])
  func inversePropensities(experiment: String) throws {
    let log = try StorefrontLog.large.get()
    for (place, slot) in log.slots where place.experiment == experiment {
      let rows = log.rows.filter { $0.isDrawn && $0.place == place }
      var sum = 0.0
      var variance = 0.0
      for row in rows {
        sum += 1 / (try #require(row.propensity))
        // E[1/p] = k, E[1/p²] = sum of 1/p over the choices.
        let k = Double(row.choices.count)
        let probabilities = row.probabilities ?? row.choices.map { _ in 1 / k }
        variance += max(0, probabilities.map { 1 / $0 }.reduce(0, +) - k * k)
      }
      let n = Double(rows.count)
      let distance = abs(sum / n - Double(slot.variants.count))
      #expect(distance < 4.5 * variance.squareRoot() / n + 1e-9, "\(place)")
    }
  }

  @Test("variants are chosen as often as their logged probabilities say")
  func frequencies() throws {
    let log = try StorefrontLog.large.get()
    for (place, slot) in log.slots {
      for variant in slot.variants {
        var (chosen, expected, variance) = (0.0, 0.0, 0.0)
        for row in log.rows where row.isDrawn && row.place == place {
          let index = try #require(row.choices.firstIndex(of: variant.variant))
          let p = row.probabilities?[index] ?? 1 / Double(row.choices.count)
          expected += p
          variance += p * (1 - p)
          if row.variant == variant.variant { chosen += 1 }
        }
        let distance = (chosen - expected) / variance.squareRoot()
        #expect(abs(distance) < 4.5, "\(place) \(variant.variant): \(distance)")
      }
    }
  }

  @Test("the two slots of the homepage are drawn independently")
  func independentSlots() throws {
    let rows = try StorefrontLog.large.get().rows.filter {
      $0.experiment == "homepage" && $0.isDrawn
    }
    var pairs: [String: Double] = [:]
    for (hero, banner) in zip(rows, rows.dropFirst()) where hero.slot == "hero" {
      #expect(banner.slot == "banner" && banner.unit == hero.unit && banner.time == hero.time)
      pairs[hero.variant + banner.variant, default: 0] += 1
    }
    let expected = pairs.values.reduce(0, +) / 12
    let chiSquare = pairs.values.map { ($0 - expected) * ($0 - expected) / expected }.reduce(0, +)
    #expect(pairs.count == 12)
    // 11 degrees of freedom; 35 is exceeded with probability 0.0002.
    #expect(chiSquare < 35, "\(chiSquare)")
  }
}
